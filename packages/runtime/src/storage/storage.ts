import type { Device } from "../device/device.js";

/** A stretch of device memory. Tensors and saved values share it by counted references. */
export class Storage {
  readonly device: Device;
  readonly bytes: number;
  /** The addon's number for it; 0 once it is released. */
  slot: number;
  /** Rises with every write, so that saved values can tell that they were changed. */
  version = 0;
  #references = 1;

  constructor(device: Device, bytes: number, zeroed: boolean) {
    this.device = device;
    this.bytes = bytes;
    this.slot = device.allocate(bytes, zeroed);
  }

  get references(): number {
    return this.#references;
  }

  retain(): this {
    this.#references += 1;
    return this;
  }

  /** Gives up one reference; `collected` when its holder was garbage collected rather than disposed of. */
  release(collected = false): void {
    this.#references -= 1;
    if (this.#references === 0) {
      const slot = this.slot;
      this.slot = 0;
      this.device.release(slot, collected);
    }
  }
}

/** The net under `dispose()`: storage of tensors that were garbage collected. */
const collected = new FinalizationRegistry<Storage[]>((storages) => {
  for (const storage of storages) storage.release(true);
});

/** Releases the storages when the owner is garbage collected, unless it is let go before. */
export function releaseWithOwner(owner: object, storages: Storage[]): void {
  collected.register(owner, storages, owner);
}

/** The owner was disposed of by hand. */
export function ownerDisposed(owner: object): void {
  collected.unregister(owner);
}
