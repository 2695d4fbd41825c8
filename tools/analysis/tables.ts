import type { Analysis } from '../../targets/analysis/analysis.ts'

/** The tables that an analysis has, as `--table` names them. */
export const TABLES = [
  'standings',
  'categories',
  'subcategories',
  'heatmap',
  'mde',
  'subgroups',
  'gaps',
] as const

export type TableName = (typeof TABLES)[number]

/** Heads and rows. Numbers are not rounded, counts are texts; null is a value that is not known. */
export interface Grid {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export const gridOf = (analysis: Analysis, table: TableName): Grid => GRIDS[table](analysis)

const GRIDS: Readonly<Record<TableName, (analysis: Analysis) => Grid>> = {
  standings: ({ standings }) => ({
    caption: 'Mean win rate with its spread over opponents; macro-average with its spread over benchmarks',
    heads: ['Model', 'Win rate', 'Win rate SD', 'Macro-average', 'SD'],
    rows: standings.map(({ model, winRate, winRateSd, macroAverage, macroSd }) => [
      model,
      winRate,
      winRateSd,
      macroAverage,
      macroSd,
    ]),
  }),
  categories: ({ categories, models }) => ({
    caption: 'Mean normalised score by category',
    heads: ['Model', ...categories.map(({ category, benchmarks }) => `${category} (${benchmarks.length})`)],
    rows: models.map((model, row) => [model, ...categories.map(({ values }) => values[row] ?? null)]),
  }),
  subcategories: ({ subcategories, models }) => ({
    caption: 'Mean normalised score by subcategory',
    heads: ['Subcategory', 'Benchmarks', ...models],
    rows: subcategories.map(({ category, benchmarks, values }) => [
      category,
      String(benchmarks.length),
      ...values,
    ]),
  }),
  heatmap: ({ heatmap, models }) => ({
    caption: 'Normalised score of each benchmark',
    heads: ['Benchmark', 'Category', ...models],
    rows: heatmap.map(({ benchmark, category, values }) => [benchmark, category, ...values]),
  }),
  mde: ({ detectable }) => ({
    caption:
      'Minimum detectable effect as a share of the scale (of the best rating, where judges rate), mean over pairs of models that do not differ by the same everywhere; as published, those count as 0, and ratings of 1 as 5',
    heads: [
      'Benchmark',
      'Pairs',
      'Without spread',
      'Instances',
      'MDE',
      'SD',
      'MDE as published',
      'SD as published',
    ],
    rows: (detectable ?? []).map(
      ({ benchmark, pairs, still, instances: [fewest, most], mean, sd, asPublished }) => [
        benchmark,
        String(pairs),
        String(still),
        fewest === most ? String(fewest) : `${fewest} to ${most}`,
        mean,
        sd,
        asPublished.mean,
        asPublished.sd,
      ],
    ),
  }),
  subgroups: ({ subgroups }) => ({
    caption: 'Scores by attribute of the instances, 95 % intervals each on its own',
    heads: ['Benchmark', 'Attribute', 'Group', 'Model', 'Score', 'Low', 'High', 'n', 'Asked'],
    rows: (subgroups ?? []).flatMap(({ benchmark, attribute, groups, rows }) =>
      groups.flatMap((group, at) =>
        rows.flatMap(({ model, scores }) => {
          const score = scores[at]
          return score == null
            ? []
            : [
                [
                  benchmark,
                  attribute,
                  groupName(group),
                  model,
                  score.value,
                  score.interval?.low ?? null,
                  score.interval?.high ?? null,
                  String(score.n),
                  String(score.asked),
                ],
              ]
        }),
      ),
    ),
  }),
  gaps: ({ subgroups }) => ({
    caption:
      'Widest gap between groups of ten instances and more; intervals hold for all gaps of an attribute at once',
    heads: [
      'Benchmark',
      'Attribute',
      'Model',
      'Gap',
      'Low',
      'High',
      'Higher on',
      'Lower on',
      'Withheld groups',
    ],
    rows: (subgroups ?? []).flatMap(({ benchmark, attribute, groups, withheld, rows }) =>
      rows.flatMap(({ model, widest }) =>
        widest === null
          ? []
          : [
              [
                benchmark,
                attribute,
                model,
                widest.difference,
                widest.interval?.low ?? null,
                widest.interval?.high ?? null,
                groupName(groups[widest.high] ?? ''),
                groupName(groups[widest.low] ?? ''),
                String(withheld),
              ],
            ],
      ),
    ),
  }),
}

const groupName = (group: string): string => (group === '' ? 'not stated' : group)
