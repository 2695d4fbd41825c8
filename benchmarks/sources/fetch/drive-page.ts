/**
 * The address behind the button of Google Drive's page that warns of a file too large to scan; undefined for any other
 * page, such as the one that says that too many have fetched the file.
 */
export const confirmedAddress = (page: string, url: string): string | undefined => {
  const form = /<form\b[^>]*\bid="download-form"[^>]*>/.exec(page)?.[0]
  const action = form && attribute(form, 'action')
  if (action === undefined) return undefined
  const address = new URL(action, url)
  for (const [input] of page.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(input, 'name')
    if (attribute(input, 'type') === 'hidden' && name !== undefined)
      address.searchParams.set(name, attribute(input, 'value') ?? '')
  }
  return address.href
}

export const isDrive = (url: string): boolean => new URL(url).hostname === 'drive.google.com'

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
