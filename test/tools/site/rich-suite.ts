import { summarizePair } from '../../../targets/compare/compare-sides.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { sketchedHistory, sketchedJudges } from './judged.ts'
import { HOSTILE, sketchSuite } from './sketch-site.ts'

/** The sketched suite with everything else that a site can tell of one. */
export const richSuite = (): SiteSuite => {
  const suite = sketchSuite()
  const [first, second] = suite.board.rows.map(({ model }) => model.deployment)
  const summary = summarizePair([{ benchmark: 'bench', a: [1, 1, 0, 1], b: [0, 0, 0, 1] }], {
    range: { low: 0, high: 1 },
    isBinary: true,
  })
  if (first === undefined || second === undefined || summary === undefined)
    throw new RangeError('the sketch has two models with values')
  const erratum = { id: 'copied-row', about: `Row 7 repeats row 3. ${HOSTILE}` }
  return {
    ...suite,
    judges: sketchedJudges(suite),
    history: sketchedHistory(suite),
    dropout: [
      {
        benchmark: 'bench',
        rows: [first, second].map((model, at) => ({
          model,
          asked: 4,
          all: { score: 3 + at, rank: 2 - at, instances: 4 },
          without: new Map(
            ['strict', 'mild'].map((judge) => [judge, { score: 3.2, rank: 1.5, instances: 4 }]),
          ),
        })),
        swaps: new Map([
          ['strict', 1],
          ['mild', 0],
        ]),
      },
    ],
    pairs: ['bench', 'private notes'].map((benchmark) => ({
      benchmark,
      of: 'all' as const,
      pairs: [{ a: first, b: second, ...summary, holm: summary.p }],
    })),
    benchmarks: [
      {
        benchmark: 'bench',
        declared: {
          licence: 'CC BY 4.0',
          homepage: 'javascript:window.hacked = true',
          citation: HOSTILE,
          taxonomy: { task: 'QA', what: HOSTILE, who: 'Clinician', when: 'Any', language: 'English' },
        },
        errata: [{ ...erratum, correction: 'The row is left out.', corrected: 1, runs: 3 }],
        data: [{ digest: 'abc123', parts: [['data: letters', 'f00d']] }],
        jury: {
          criteria: ['accuracy'],
          scale: { least: 1, most: 5 },
          judges: [{ name: 'judge', deployment: 'm/judge', modelString: 'judge-1' }],
          rubric: HOSTILE,
          digest: 'beef',
        },
        measures: [],
        code: [],
      },
    ],
    models: [
      {
        deployment: first,
        hosting: 'this machine',
        description: HOSTILE,
        releaseDate: '2026-01-01',
        price: { input: 1, output: 2, date: '2026-01-01', source: HOSTILE },
      },
    ],
    taxonomy: {
      categories: [
        { name: 'Clinical work', subcategories: [{ name: HOSTILE, tasks: ['Triage'] }] },
        { name: 'Office work', subcategories: [{ name: 'Billing', tasks: [] }] },
      ],
    },
    catalog: [{ name: 'other', displayName: HOSTILE, category: 'Office work', subcategory: 'Billing' }],
    release: {
      release: 'v1',
      version: '1.0.0',
      profile: 'helm-0.5.16',
      suites: ['demo'],
      date: '2026-01-02',
      benchmarks: [{ name: 'bench', access: 'public', digest: 'd1', judgePrompt: null }],
      errata: [{ benchmark: 'bench', ...erratum, corrected: 0, runs: 3 }],
      datasets: [{ url: 'https://example.org/data.csv', sha256: 'f00d' }],
      runs: [
        { name: 'bench:model=m_a', deployment: 'm/a', modelString: 'a', served: [HOSTILE], target: 't1' },
      ],
      withheld: [{ run: 'private notes:model=m_a', reason: 'it is private', suppressedStats: 2 }],
      includedText: [],
    },
  }
}
