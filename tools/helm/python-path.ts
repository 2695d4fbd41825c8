/** Python's `os.path.join`: HELM's files show paths as the user gave them, so `./out` stays `./out`. */
export const joinPath = (...parts: readonly string[]): string =>
  parts.reduce((path, part) => {
    if (part.startsWith('/') || path === '') return part
    return path.endsWith('/') ? path + part : `${path}/${part}`
  }, '')
