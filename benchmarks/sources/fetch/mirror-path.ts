/**
 * Where a URL's file lies in a mirror or in the download folder: `HOST/PATH__QUERY`, with PATH percent-encoded as it
 * is sent, runs of `/` as one, and every character of QUERY outside `A-Za-z0-9-._~=&` as `%XX`. Relative, with `/`.
 */
export const mirrorPath = (address: string): string => {
  const url = new URL(address)
  const query = url.search
    .slice(1)
    .replace(
      /[^A-Za-z0-9\-._~=&]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
  return `${url.host}${url.pathname.replace(/\/+/g, '/')}${query === '' ? '' : `__${query}`}`
}
