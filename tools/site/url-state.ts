/** What a page keeps in its address: a name and a text each. A field at its default is left out. */
export type UrlFields = Readonly<Record<string, string>>

/**
 * Reads an address's fragment, `#sort=-win-rate&category=Other`. Query strings would not do: pages opened from disk may
 * not change them. Fields that the page does not know are left out, as is a fragment that names a place on the page.
 */
export const readUrlState = <Fields extends UrlFields>(hash: string, defaults: Fields): Fields => {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  const entries = Object.entries(defaults).map(([name, value]) => [name, given.get(name) ?? value])
  return Object.fromEntries(entries) as Fields
}

/** Names of the fields in a fragment that the page does not know. */
export const unknownFields = (hash: string, defaults: UrlFields): readonly string[] =>
  [...new Set(new URLSearchParams(hash.replace(/^#/, '')).keys())].filter(
    (name) => name !== '' && !Object.hasOwn(defaults, name),
  )

/** The fragment of a state, `#` and all; empty at the defaults. Fields stand in the order of the defaults. */
export const urlStateText = <Fields extends UrlFields>(state: Fields, defaults: Fields): string => {
  const changed = new URLSearchParams()
  for (const [name, value] of Object.entries(defaults))
    if (state[name] !== undefined && state[name] !== value) changed.set(name, state[name])
  const text = changed.toString()
  return text === '' ? '' : `#${text}`
}

/** Whether a fragment holds a state, rather than naming a place on the page. */
export const holdsState = (hash: string): boolean => hash === '' || hash === '#' || hash.includes('=')
