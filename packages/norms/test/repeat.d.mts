/** Hashes of all results of the norms on fixed values, by operation and type. */
export declare function hashes(): Record<string, string>;
