/**
 * Values of many instances in few bytes: a character each where few values differ, with what each stands for. `null` could
 * not be read, `-` was not asked.
 */
export type PackedValues =
  | { readonly of: readonly number[]; readonly at: string }
  | readonly (number | null | '-')[]

/** Characters that a script holds as they are: no quote, no backslash, no angle bracket. */
const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
  (character) => !'"\\<>!-'.includes(character),
)
const UNREAD = '!'
const UNASKED = '-'

/** @param values NaN: could not be read; undefined: was not asked */
export const packed = (values: readonly (number | undefined)[]): PackedValues => {
  const places = new Map<number, number>()
  for (const value of values) {
    if (value === undefined || Number.isNaN(value) || places.has(value)) continue
    places.set(value, places.size)
    if (places.size > ALPHABET.length) return values.map(plain)
  }
  const characterOf = (value: number | undefined): string => {
    if (value === undefined) return UNASKED
    return Number.isNaN(value) ? UNREAD : (ALPHABET[places.get(value) ?? 0] ?? UNREAD)
  }
  return { of: [...places.keys()], at: values.map(characterOf).join('') }
}

const plain = (value: number | undefined): number | null | '-' =>
  value === undefined ? UNASKED : Number.isNaN(value) ? null : value

/** The instances' sources: 0 where each stands for itself, `rows` where they are but the rows' own ids. */
export type PackedSources = PackedValues | { readonly rows: PackedValues } | 0

/** Which source each instance has. */
interface Sources {
  readonly sources?: readonly number[]
  readonly areRows?: boolean
}

export const packedSources = ({ sources, areRows }: Sources): PackedSources =>
  sources === undefined ? 0 : areRows === true ? { rows: packed(sources) } : packed(sources)

export const unpackedSources = (given: PackedSources): Sources => {
  if (given === 0) return {}
  const areRows = 'rows' in given
  return { sources: unpacked(areRows ? given.rows : given).map((number) => number ?? 0), areRows }
}

/** The values again. */
export const unpacked = (given: PackedValues): readonly (number | undefined)[] => {
  if (!('of' in given))
    return given.map((value) => (value === UNASKED ? undefined : value === null ? NaN : value))
  const byCharacter = new Map(given.of.map((value, at) => [ALPHABET[at], value]))
  return Array.from(given.at, (character) =>
    character === UNASKED ? undefined : (byCharacter.get(character) ?? NaN),
  )
}
