import type { Measure } from '../../benchmarks/scenario/measure.ts'

/** What is said of a measure beside its name and scale. */
type About = Pick<Measure, 'displayName' | 'description'> &
  Partial<Omit<Measure, 'name' | 'unit' | 'least' | 'most'>>

type Ends = Pick<Measure, 'least' | 'most'>

const measure = (name: string, unit: string, { least, most }: Ends, about: About): Measure => ({
  name,
  unit,
  least,
  most,
  better: 'neither',
  of: 'instance',
  ...about,
})

/** Wrong or right, no or yes. */
export const flag = (name: string, about: About): Measure =>
  measure(name, '0 or 1', { least: 0, most: 1 }, about)

export const share = (name: string, about: About): Measure =>
  measure(name, 'share', { least: 0, most: 1 }, about)

export const count = (name: string, about: About): Measure => amount('count', name, about)

/** A number in a unit from 0 on. */
export const amount = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: 0, most: null }, about)

/** A number in a unit up to 0. */
export const loss = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: null, most: 0 }, about)

/** A number in a unit that may be anything. */
export const number = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: null, most: null }, about)
