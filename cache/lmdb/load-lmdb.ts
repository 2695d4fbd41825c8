import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { open } from 'lmdb'

/**
 * lmdb reads the path of its own file as a URL as it stands, and looks for its native part elsewhere where a folder's name
 * holds a `#`, `?`, `%` or line break. On a page it goes by the page's address instead: for as long as it loads there is
 * one, with that path written as URLs are.
 *
 * @param from URL of a file beside which lmdb is installed
 */
export const loadLmdb = (from: string = import.meta.url): { readonly open: typeof open } => {
  const require = createRequire(from)
  const baseURI = pathToFileURL(require.resolve('lmdb')).href
  Object.defineProperty(globalThis, 'document', { value: { baseURI }, configurable: true })
  try {
    return require('lmdb') as { readonly open: typeof open }
  } finally {
    Reflect.deleteProperty(globalThis, 'document')
  }
}
