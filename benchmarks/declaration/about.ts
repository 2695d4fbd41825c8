import { z } from 'zod'
import { Float, numberOf, str } from '../python/numbers/number.ts'
import type { ErrataChoice } from '../context/context.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { Fixed } from '../../cache/values/json.ts'
import type { PyValue } from '../python/value.ts'
import type { Corrections } from '../scenario/benchmark.ts'

export const Text = z.string().min(1, 'it must be some text')

/** HELM's taxonomy of a run group. */
export const TaxonomyFields = z.strictObject({
  task: z.string(),
  what: z.string(),
  who: z.string(),
  when: z.string(),
  language: z.string(),
})

/** A known fault of a benchmark's data or protocol. */
export const Erratum = z.strictObject({
  /** Stable; enters the key of the instances where a protocol applies it. */
  id: Text,
  /** What is wrong and what it does to the numbers. */
  about: Text,
  source: z.string().optional(),
  /** Ids of instances that a protocol which applies the erratum leaves out. */
  drop: z.array(z.union([z.string(), z.int()])).optional(),
  /** How a run that corrects errata puts it right: in its instances (`data`) or in its values (`scores`). */
  correction: z.strictObject({ in: z.enum(['data', 'scores']), about: Text }).optional(),
})

/** How to get data that can't be downloaded by everybody. */
const Obtain = z.strictObject({
  /** Name and version of the data set. */
  what: Text,
  /** Whom to ask, e.g. PhysioNet. */
  from: Text,
  url: z.url('it must be a URL').optional(),
  /** What access takes, e.g. a signed agreement. */
  terms: Text.optional(),
})

/** How many instances there are to evaluate. */
export const Size = z.strictObject({
  instances: z.int().positive('it must be above 0'),
  /** The source says that there are at least so many. */
  or_more: z.boolean().optional(),
  /** What is counted together, where arguments choose among parts, e.g. both subsets. */
  of: Text.optional(),
})

/** Where a fact of the declaration was looked up; one without is shown as unchecked. */
export const Checked = z.strictObject({
  size: Text.optional(),
  licence: Text.optional(),
  contact: Text.optional(),
})

/** What tables and pages show of a benchmark; no key of a result holds any of it. */
export const aboutFields = {
  name: Text.regex(/^[^\s:,=/]+$/, 'it must be one word without : , = or /'),
  display_name: Text.optional(),
  short_display_name: Text.optional(),
  description: z.string(),
  access: z.enum(['public', 'gated', 'private']).optional(),
  /** Least share of the requests that must be measured for a model to be ranked; the workspace's if left out. */
  coverage_floor: z
    .union([z.number(), z.instanceof(Float)])
    .transform(numberOf)
    .refine((share) => share >= 0 && share <= 1, 'it must be a share from 0 to 1')
    .optional(),
  /** The loss of the main metric, in its own units, that a change may bring: `medmake ci` says whether one is greater. */
  margin: z
    .union([z.number(), z.instanceof(Float)])
    .transform(numberOf)
    .refine((loss) => loss > 0, 'it must be above 0, in units of the main metric')
    .optional(),
  /**
   * What instances share: note, patient. In the simple form the column that tells them apart; else a name for what the mapping
   * or the scenario gives as their cluster.
   */
  cluster: Text.optional(),
  /** Place in MedHELM's taxonomy. */
  category: Text.optional(),
  subcategory: Text.optional(),
  taxonomy: TaxonomyFields.optional(),
  homepage: z.url('it must be a URL').optional(),
  size: Size.optional(),
  licence: Text.optional(),
  /** Whom to ask about the data: an address. */
  contact: Text.optional(),
  checked: Checked.optional(),
  citation: Text.optional(),
  /** Absent where the data is downloaded when it is needed. */
  obtain: Obtain.optional(),
  errata: z.array(Erratum).default([]),
}

export type TaxonomyFields = z.output<typeof TaxonomyFields>
export type Erratum = Fixed<z.output<typeof Erratum>>
export type Obtain = z.output<typeof Obtain>
export type About = z.output<z.ZodObject<typeof aboutFields>>

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

/** Argument of every declared benchmark's run entries: `corrected`, `reproduced`, or ids joined by `+`. */
export const ERRATA_ARGUMENT = 'errata'

/** True where a protocol or metric here can put the erratum right. */
const isCorrectable = ({ correction, drop }: Erratum): boolean =>
  correction !== undefined || drop !== undefined

/** True where putting it right alters instances. */
export const altersInstances = ({ correction, drop }: Erratum): boolean =>
  drop !== undefined || correction?.in === 'data'

/**
 * Which errata a run puts right; undefined where it reproduces all, as HELM does. A run entry's own choice wins.
 *
 * @throws ProblemError `benchmarks/unknown-erratum`, `benchmarks/no-correction`
 */
export const correctionsOf = (
  benchmark: { readonly name: string; readonly errata: readonly Erratum[] },
  choice: ErrataChoice = 'reproduced',
  given?: PyValue,
  where?: Place,
): Corrections | undefined => {
  const wanted = given === undefined ? chosen(benchmark.name, choice) : entryChoice(str(given))
  if (wanted === 'reproduced') return undefined
  const { errata } = benchmark
  if (wanted === 'corrected')
    return {
      corrected: errata.filter(isCorrectable).map(({ id }) => id),
      uncorrected: errata.filter((erratum) => !isCorrectable(erratum)).map(({ id }) => id),
    }
  for (const id of wanted) checkId(benchmark, id, where)
  return { corrected: errata.filter(({ id }) => wanted.includes(id)).map(({ id }) => id), uncorrected: [] }
}

const chosen = (name: string, choice: ErrataChoice): 'reproduced' | 'corrected' | readonly string[] =>
  typeof choice === 'string' ? choice : (choice[name] ?? 'reproduced')

const entryChoice = (text: string): 'reproduced' | 'corrected' | readonly string[] =>
  text === 'reproduced' || text === 'corrected' ? text : text.split('+')

const checkId = (
  { name, errata }: { readonly name: string; readonly errata: readonly Erratum[] },
  id: string,
  where?: Place,
): void => {
  const found = errata.find((erratum) => erratum.id === id)
  if (found !== undefined && isCorrectable(found)) return
  const known = errata.filter(isCorrectable).map((erratum) => erratum.id)
  throw new ProblemError({
    code: found === undefined ? 'benchmarks/unknown-erratum' : 'benchmarks/no-correction',
    message:
      found === undefined
        ? `${name} has no erratum ${JSON.stringify(id)}`
        : `the erratum ${JSON.stringify(id)} of ${name} has no correction here`,
    where: { ...where, field: where?.field ?? 'errata' },
    remedy: `${suggestion(id, known)}${
      known.length === 0 ? `${name} has none that can be corrected.` : `Correctable: ${known.join(', ')}.`
    }`,
  })
}
