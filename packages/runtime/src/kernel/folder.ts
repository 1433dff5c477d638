/** The folder of the package that a module of it lies in, in dist/ when it is installed and in src/kernel/ in its tests. */
export function packageFolderOf(module: string): URL {
  return new URL(/\/src\/kernel\/[^/]*$/.test(module) ? "../../" : "../", module);
}

/** The package's own folder. */
export const packageFolder = packageFolderOf(import.meta.url);
