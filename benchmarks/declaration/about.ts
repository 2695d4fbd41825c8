import { z } from 'zod'
import { Float, numberOf } from '../python/numbers/float.ts'

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
const Erratum = z.strictObject({
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
export type Erratum = z.output<typeof Erratum>
export type Obtain = z.output<typeof Obtain>
export type About = z.output<z.ZodObject<typeof aboutFields>>
