import { z } from 'zod'
import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import { refuseTwice } from '../config/refuse-twice.ts'
import type { Price } from './price.ts'

const PerMillion = z.number().nonnegative('US dollars per million tokens, 0 or more')

/** An element of `prices:` in a models file. */
export const PriceYaml = z.strictObject({
  deployment: z.string().min(1),
  input: PerMillion,
  cached_input: PerMillion.optional(),
  output: PerMillion,
  batch_input: PerMillion.optional(),
  batch_output: PerMillion.optional(),
  date: z.iso.date('a date like 2026-01-31'),
  source: z.string().min(1, 'where the price can be looked up, such as a URL'),
})

/** @param file as users see it */
export const priceFrom = (yaml: z.output<typeof PriceYaml>, file: string): Price => ({
  deployment: yaml.deployment,
  input: yaml.input,
  output: yaml.output,
  ...(yaml.cached_input === undefined ? {} : { cachedInput: yaml.cached_input }),
  ...(yaml.batch_input === undefined ? {} : { batchInput: yaml.batch_input }),
  ...(yaml.batch_output === undefined ? {} : { batchOutput: yaml.batch_output }),
  date: yaml.date,
  source: yaml.source,
  file,
})

/** One file must not price a deployment twice. @throws ProblemError `models/price-twice` */
export const refuseTwoPrices = (
  prices: readonly { readonly deployment: string }[],
  document: Pick<YamlDocument, 'place'>,
): void =>
  refuseTwice(
    prices.map((value, index) => ({
      name: value.deployment,
      value,
      where: () => document.place(['prices', index, 'deployment']),
    })),
    { code: 'models/price-twice', what: 'is priced twice', remedy: 'Keep the price that holds.' },
  )
