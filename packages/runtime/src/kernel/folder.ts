/** The package's own folder, from dist/ in an installed package and from src/kernel/ in its tests. */
export const packageFolder = new URL(import.meta.url.includes("/src/kernel/") ? "../../" : "../", import.meta.url);
