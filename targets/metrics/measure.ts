/** A number that a metric gives, as a reader needs to know it. */
export interface Measure {
  /** HELM's name of the stat; `<…>` stands for a part that the run names. */
  readonly name: string
  readonly unit: string
  /** The least and the greatest value, ends included; null: no bound. */
  readonly least: number | null
  readonly most: number | null
  readonly better: 'higher' | 'lower' | 'neither'
  /** What one value is of. */
  readonly of: 'instance' | 'split'
}

type Rest = Partial<Pick<Measure, 'better' | 'of'>>

const measures = (
  names: readonly string[],
  { better = 'neither', of = 'instance', ...rest }: Pick<Measure, 'unit' | 'least' | 'most'> & Rest,
): readonly Measure[] => names.map((name) => ({ name, ...rest, better, of }))

/** Wrong or right, no or yes. */
export const flags = (names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit: '0 or 1', least: 0, most: 1, ...rest })

export const shares = (names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit: 'share', least: 0, most: 1, ...rest })

export const counts = (names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit: 'count', least: 0, most: null, ...rest })

/** Numbers in a unit from 0 on. */
export const amounts = (unit: string, names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit, least: 0, most: null, ...rest })

/** Numbers in a unit up to 0. */
export const lossesOf = (unit: string, names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit, least: null, most: 0, ...rest })

/** Numbers in a unit that may be anything. */
export const numbers = (unit: string, names: readonly string[], rest: Rest = {}): readonly Measure[] =>
  measures(names, { unit, least: null, most: null, ...rest })
