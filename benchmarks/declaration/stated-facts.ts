import type { About } from './about.ts'

/** A fact that a declaration states of a benchmark's data, for readers. */
export interface StatedFact {
  readonly fact: 'size' | 'licence' | 'contact'
  /** `not known` where the declaration does not say. */
  readonly value: string
  /** Where it was looked up; absent for what nobody checked. */
  readonly source?: string
}

type Stating = Pick<About, 'size' | 'licence' | 'contact' | 'checked'>

/** Size, licence and contact of a benchmark's data, in this order. */
export const statedFacts = ({ size, licence, contact, checked = {} }: Stating): readonly StatedFact[] =>
  [
    { fact: 'size' as const, value: size && sizeText(size) },
    { fact: 'licence' as const, value: licence },
    { fact: 'contact' as const, value: contact },
  ].map(({ fact, value }) => {
    const source = checked[fact]
    return { fact, value: value ?? 'not known', ...(source === undefined ? {} : { source }) }
  })

/** The fact with its source, or that nobody checked it. */
export const factText = ({ value, source }: StatedFact): string =>
  `${value} (${source === undefined ? 'unchecked' : `checked: ${source}`})`

/** How many instances there are to evaluate. */
export const sizeText = ({ instances, or_more: orMore, of }: NonNullable<Stating['size']>): string =>
  `${instances.toLocaleString('en-US')} ${instances === 1 ? 'instance' : 'instances'}${orMore ? ' or more' : ''}${of === undefined ? '' : ` of ${of}`}`
