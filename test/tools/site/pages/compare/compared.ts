import type { CompareData } from '../../../../../tools/site/pages/compare/compare-data.ts'

/** So many right answers first. */
export const ones = (count: number, of = 40): number[] =>
  Array.from({ length: of }, (_, at) => Number(at < count))

/** A model that can be compared, ranked in everything. */
export const comparedModel = (key: string): CompareData['models'][number] => ({
  key,
  label: key.toUpperCase(),
  href: `models/${key}.html`,
  values: key,
  usdPerThousand: null,
  latency: null,
  unranked: [],
})
