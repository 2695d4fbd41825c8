/** Brings a part of a page to life. A rejection leaves it as it was written: what needs data must say what is missing. */
export type StartApp = (root: HTMLElement) => void | Promise<void>
