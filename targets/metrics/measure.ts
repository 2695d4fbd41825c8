import type { Measure } from '../../benchmarks/scenario/measure.ts'

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
