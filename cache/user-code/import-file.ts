import { pathToFileURL } from 'node:url'

/**
 * `import()` of a file. By itself, for a file of ours that calls `import()` can't come from the code cache
 * (tools/cli/keep-compiled.ts).
 *
 * @param query of the URL: what is imported under another is loaded anew
 */
export const importFile = (file: string, query = ''): Promise<unknown> =>
  import(/* @vite-ignore */ `${pathToFileURL(file).href}${query}`)
