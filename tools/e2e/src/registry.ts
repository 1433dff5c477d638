import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What a package manager puts for one version: the published manifest. */
export interface PublishedManifest {
  name: string;
  version: string;
  dist: { tarball: string; integrity: string };
  [field: string]: unknown;
}

/** A package's document, as registries answer it. */
export interface PackageDocument {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, PublishedManifest>;
  time: Record<string, string>;
}

/** The body of a publish: the document of one version, the tarball in base64. */
interface PublishBody extends PackageDocument {
  _attachments: Record<string, { data: string }>;
}

/** An npm registry in this process's memory, on the loopback. */
export interface Registry {
  /** Such as `http://127.0.0.1:4873`, without a slash at the end. */
  readonly origin: string;
  /** Ends the server. */
  close(): Promise<void>;
}

const text = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/**
 * Starts a registry that knows what is published to it and nothing else.
 *
 * It answers what `publish` and `install` ask for: `PUT /<name>`, `GET /<name>`, `GET /-/all`, and tarballs. A version is
 * published once: a second time is refused with 409.
 *
 * @example
 * const registry = await startRegistry();
 * console.log(registry.origin); // http://127.0.0.1:40213
 */
export async function startRegistry(): Promise<Registry> {
  const documents = new Map<string, PackageDocument>();
  const tarballs = new Map<string, Buffer>();
  let origin = "";

  /** Stores a publish; false when one of its versions is there already. */
  const publish = (name: string, body: PublishBody): boolean => {
    const document = documents.get(name) ?? { name, "dist-tags": {}, versions: {}, time: {} };
    for (const [version, manifest] of Object.entries(body.versions)) {
      if (document.versions[version] !== undefined) return false;
      const [attachment] = Object.values(body._attachments);
      if (attachment === undefined) return false;
      const path = `${name}/-/${version}.tgz`;
      tarballs.set(path, Buffer.from(attachment.data, "base64"));
      document.versions[version] = { ...manifest, dist: { ...manifest.dist, tarball: `${origin}/${path}` } };
      document.time[version] = new Date().toISOString();
    }
    Object.assign(document["dist-tags"], body["dist-tags"]);
    documents.set(name, document);
    return true;
  };

  const answer = async (request: IncomingMessage): Promise<[status: number, body: string | Buffer]> => {
    const path = decodeURIComponent(new URL(request.url ?? "/", origin).pathname).slice(1);
    if (request.method === "PUT") {
      return publish(path, JSON.parse(await text(request)) as PublishBody) ? [201, "{}"] : [409, "{}"];
    }
    if (path === "-/all") return [200, JSON.stringify(Object.fromEntries(documents))];
    const found = tarballs.get(path) ?? documents.get(path);
    if (found === undefined) return [404, "{}"];
    return [200, Buffer.isBuffer(found) ? found : JSON.stringify(found)];
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => {
        const type = Buffer.isBuffer(body) ? "application/octet-stream" : "application/json";
        response.writeHead(status, { "content-type": type }).end(body);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin, close };
}
