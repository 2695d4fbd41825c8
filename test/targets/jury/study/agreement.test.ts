import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { measureAgreement } from '../../../../targets/jury/study/agreement.ts'
import {
  isRatings,
  readAllRatings,
  readRatings,
  type Rating,
} from '../../../../targets/jury/study/ratings.ts'
import { shared } from '../../../rig/shared.ts'
import { problemAtOnce, problemsAtOnce } from '../../../rig/problem-of.ts'

const HEADER = 'rater,instance_id,benchmark,model,accuracy,clarity,jury_accuracy,jury_clarity'
const COLUMNS = { automatic: ['rouge_l', 'BERTScore-F'] }
const parse = (...lines: readonly string[]): readonly Rating[] =>
  readRatings(csvTable([HEADER, ...lines].join('\n'), 'strict', 'ratings.csv'), COLUMNS)

const problemOf = (...lines: readonly string[]) => problemAtOnce(() => parse(...lines))

describe('a table of ratings', () => {
  test('gives scores by criterion, those of the clinician and of the jury', () => {
    expect(parse('r1,7,demo,m,4,5,4.5,5')).toEqual([
      {
        rater: 'r1',
        benchmark: 'demo',
        instance: '7',
        model: 'm',
        scores: [4, 5],
        criteria: ['accuracy', 'clarity'],
        jury: [4.5, 5],
        metrics: new Map(),
      },
    ])
  })

  test('names the answer of a rating by its digest and the rubric’s, or not at all', () => {
    const digest = 'a'.repeat(64)
    const own = (...cells: readonly string[]) =>
      readRatings(
        csvTable(
          `rater,instance_id,benchmark,model,accuracy,jury_accuracy,answer,rubric,study\nr1,7,demo,m,4,5,${cells.join()},ward\n`,
          'strict',
          'ratings.csv',
        ),
        COLUMNS,
      )[0]
    expect(own(digest, digest)).toMatchObject({ answer: digest, rubric: digest, study: 'ward' })
    for (const cells of [
      [digest, 'good'],
      ['good', digest],
    ])
      expect(own(...cells)).not.toHaveProperty('answer')
  })

  test('takes an export back: criteria of other benchmarks, and those that could not be judged, are none of a row', () => {
    const digest = 'a'.repeat(64)
    const table = csvTable(
      [
        'rater,instance_id,benchmark,model,accuracy,safety,clarity,jury_accuracy,jury_safety,jury_clarity,answer,rubric,reason',
        `r1,7,notes,m,4,5,,4.5,3,,${digest},${digest},`,
        `r2,7,notes,m,,2,,4.5,3,,${digest},${digest},context-missing`,
        `r1,8,notes,m,,,,1,2,,${digest},${digest},outside-field`,
        `r1,7,other,m,1,,2,5,,4,${digest},${digest},`,
      ].join('\n'),
      'strict',
      'ratings.csv',
    )
    expect(readAllRatings([table], COLUMNS)).toMatchObject([
      { benchmark: 'notes', rater: 'r1', scores: [4, 5], jury: [4.5, 3] },
      { benchmark: 'notes', rater: 'r2', scores: [2], jury: [3] },
      { benchmark: 'other', rater: 'r1', scores: [1, 2], jury: [5, 4] },
    ])
  })

  test('is never quoted: where a score or a header should be may be a comment on a patient', () => {
    expect(problemOf('r1,7,demo,m,Ms Example fell,5,4,5')?.message).toBe('the cell holds no score')
    const table = csvTable('r1,7,demo,m,4,Ms Example fell\nr1,8,demo,m,4,\n', 'strict', 'ratings.csv')
    expect(problemsAtOnce(() => readRatings(table, COLUMNS))).toMatchObject([
      { code: 'benchmarks/missing-column', remedy: expect.not.stringContaining('Example') as string },
    ])
  })

  test.each([
    ['an empty cell', ['r1,7,demo,m,4,,4,5'], 'targets/empty-rating', { row: 1, field: 'clarity' }],
    [
      'a word',
      ['r1,7,demo,m,4,5,4,5', 'r1,8,demo,m,good,5,4,5'],
      'targets/rating-not-a-number',
      { row: 2, field: 'accuracy' },
    ],
    [
      'a score of NaN',
      ['r1,7,demo,m,nan,5,4,5'],
      'targets/rating-not-a-number',
      { row: 1, field: 'accuracy' },
    ],
    [
      'a rating given twice',
      ['r1,7,demo,m,4,5,4,5', 'r1,7,demo,m,4,5,4,5'],
      'targets/repeated-rating',
      { row: 2 },
    ],
    [
      'a jury that contradicts itself',
      ['r1,7,demo,m,4,5,4,5', 'r2,7,demo,m,4,5,4,4'],
      'targets/contradicting-jury',
      { row: 2 },
    ],
  ])('with %s is refused with file, row and column', (_, lines, code, where) => {
    const problem = problemOf(...lines)
    expect(problem?.code).toBe(code)
    expect(problem?.where).toMatchObject({ file: 'ratings.csv', ...where })
  })

  test('are known by the columns that name them, those of the paper too', () => {
    const isTold = (columns: string) => isRatings({ columns: columns.split(',') })
    expect(isTold('rater,instance_id,benchmark,model,accuracy')).toBe(true)
    expect(isTold('username,instance_id,dataset_name,model_key')).toBe(true)
    expect(isTold('rater,instance_id,dataset_name,model')).toBe(true)
    for (const lacking of ['rater', 'instance_id', 'benchmark', 'model'])
      expect(isTold('rater,instance_id,benchmark,model'.replace(lacking, 'other'))).toBe(false)
  })

  test('with metrics that contradict themselves are refused, too', () => {
    const header = 'rater,instance_id,benchmark,model,accuracy,jury_accuracy,rouge_l'
    const rows = (other: number) =>
      csvTable(`${header}\nr1,7,demo,m,4,5,0.25\nr2,7,demo,m,4,5,${other}\n`, 'strict', 'ratings.csv')
    expect(() => readRatings(rows(0.5), COLUMNS)).toThrow(/differ from those in an earlier row/)
    expect(readRatings(rows(0.25), COLUMNS)).toHaveLength(2)
  })

  test('of several tables are one, unless two hold the same rating', () => {
    const table = (file: string, ...lines: readonly string[]) =>
      csvTable([HEADER, ...lines].join('\n'), 'strict', file)
    const one = table('one.csv', 'r1,7,demo,m,4,5,4,5')
    const two = table('two.csv', 'r2,7,demo,m,3,5,4,5', 'r1,8,demo,m,3,3,4,4')
    expect(readAllRatings([one, two], COLUMNS).map(({ rater, instance }) => rater + instance)).toEqual([
      'r17',
      'r27',
      'r18',
    ])
    const again = table('again.csv', 'r3,7,demo,m,4,5,4,5', 'r1,7,demo,m,1,1,4,5')
    const error = (() => {
      try {
        return readAllRatings([one, again], COLUMNS)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toMatchObject({
      problems: [
        {
          code: 'targets/repeated-rating',
          message: "one.csv holds r1's rating of the same answer",
          where: { file: 'again.csv', row: 2 },
        },
      ],
    })
  })

  test('of a rater who is written in two ways are refused: they would be two who agree', () => {
    const written = (one: string, other: string) => () =>
      readAllRatings(
        [one, other].map((name, at) =>
          csvTable(`${HEADER}\n${name},${at},demo,m,4,5,4,5\n`, 'strict', `${at}.csv`),
        ),
        COLUMNS,
      )
    expect(written('Ann', 'ann')).toThrow('ann is written Ann in an earlier row')
    expect(written('Jo\u0301', 'Jó')).toThrow('in an earlier row')
    expect(written('ann', 'ann ')()).toHaveLength(2)
  })

  test('without a name or a criterion is refused', () => {
    const without = (header: string) => () =>
      readRatings(csvTable(`${header}\n`, 'strict', 'ratings.csv'), COLUMNS)
    expect(without('rater,instance_id,benchmark,accuracy,jury_accuracy')).toThrow(/"model"/)
    expect(without('rater,instance_id,benchmark,model,accuracy')).toThrow(/no criterion/)
  })

  test('may hold automatic metrics beside the criteria, empty cells left out', () => {
    const table = csvTable(
      'rater,instance_id,benchmark,model,accuracy,jury_accuracy,rouge_l,BERTScore-F\nr1,7,demo,m,4,5,0.25,\n',
      'strict',
      'ratings.csv',
    )
    expect(readRatings(table, COLUMNS)[0]?.metrics).toEqual(new Map([['rouge_l', 0.25]]))
  })

  test('needs no columns of a jury where a run has its scores', () => {
    const table = csvTable(
      'rater,instance_id,benchmark,model,accuracy,clarity,comment\nr1,7,demo,m,4,5,fine\n',
      'strict',
      'ratings.csv',
    )
    const [rating] = readRatings(table, {
      automatic: [],
      criteria: new Map([['demo', ['accuracy', 'completeness', 'clarity']]]),
    })
    expect(rating).toMatchObject({ scores: [4, 5], jury: [] })
    const others = new Map([['letters', ['accuracy']]])
    expect(() => readRatings(table, { automatic: [], criteria: others })).toThrow(/no criterion/)
    const spelt = new Map([['demo', ['ACCURACY', 'clarity']]])
    expect(() => readRatings(table, { automatic: [], criteria: spelt })).toThrow('targets/other-spelling')
  })

  test('scores by all criteria of the rubric, though one alone have a column of the jury, which then tells nothing', () => {
    const table = csvTable(
      'rater,instance_id,benchmark,model,tone,facts,jury_tone\nann,i1,notes,m/a,4,2,3\n',
      'strict',
      'ratings.csv',
    )
    const criteria = new Map([['notes', ['tone', 'facts', 'length']]])
    expect(readRatings(table, { automatic: [], criteria })).toMatchObject([
      { criteria: ['tone', 'facts'], scores: [4, 2], jury: [] },
    ])
    expect(readRatings(table, { automatic: [] })).toMatchObject([
      { criteria: ['tone'], scores: [4], jury: [3] },
    ])
  })
})

describe('agreement', () => {
  test('where all scores are one is not determined, and says why', () => {
    const [found] = measureAgreement(
      parse('r1,1,demo,m,2,2,2,2', 'r1,2,demo,m,2,2,2,2', 'r2,2,demo,m,2,2,2,2'),
      'text',
      50,
    )
    const reason = 'fewer than two answers, or all scores of one side are alike'
    const open = { value: null, interval: null, reason }
    const kappa = { ...open, reason: `${reason}, or shares of points` }
    expect(found?.jury).toMatchObject({ answers: 2, icc: open, spearman: open, kappa })
  })

  test('has no lead of a jury without spread, though clinicians have their own', () => {
    const [found] = measureAgreement(
      parse('r1,1,demo,m,2,2,3,3', 'r2,1,demo,m,2,2,3,3', 'r1,2,demo,m,4,4,3,3', 'r2,2,demo,m,4,4,3,3'),
      'text',
      50,
    )
    expect(found?.clinicians.icc.value).toBe(1)
    expect(found?.jury?.lead).toMatchObject({
      value: null,
      reason: 'fewer than two answers, or all scores of one side are alike',
    })
  })

  test('of raters who agree fully with the jury is 1; answers rated once leave the baseline open, with the reason', () => {
    const [found] = measureAgreement(
      parse('r1,1,demo,m,2,2,2,2', 'r1,2,demo,m,3,3,3,3', 'r2,3,demo,m,5,5,5,5'),
    )
    expect(found).toMatchObject({ name: 'demo', raters: 2, ratings: 3, answers: 3 })
    expect(found?.jury).toMatchObject({
      answers: 3,
      icc: { value: 1 },
      spearman: { value: 1 },
      kappa: { value: 1 },
    })
    expect(found?.clinicians.icc).toEqual({
      value: null,
      interval: null,
      reason: 'no two clinicians with spread rated two answers in common',
    })
    expect(found?.jury?.lead).toMatchObject({
      value: null,
      interval: null,
      reason: 'no two clinicians with spread rated two answers in common',
    })
    expect(found?.jury?.kappa).toEqual({
      value: 1,
      interval: null,
      reason: 'fewer than 5 sources, or one of them decides all',
    })
    expect(found?.clinicians.alpha.value).toBeNull()
  })

  test('with an automatic metric stands beside that with the jury', () => {
    const table = csvTable(
      `rater,instance_id,benchmark,model,accuracy,jury_accuracy,rouge_l\n${[1, 2, 3, 4]
        .map(
          (at) => `r1,${at},demo,m,${at},${at},${1 - at / 10}\nr2,${at},demo,m,${at},${at},${1 - at / 10}\n`,
        )
        .join('')}`,
      'strict',
      'ratings.csv',
    )
    const [found] = measureAgreement(readRatings(table, COLUMNS))
    expect(found?.metrics).toMatchObject([{ name: 'rouge_l', answers: 4, spearman: { value: -1 } }])
    // Full disagreement leaves no answer above another.
    expect(found?.metrics[0]?.icc.value).toBeNull()
  })
})

/** Fewer than a user's: what is held here does not hang on them. */
const DRAWS = 1000

const files = ['medi_qa', 'mtsamples_replicate'].map((name) =>
  shared(`published/clinician-and-jury-ratings-${name}.csv`),
)

describe.skipIf(files.includes(undefined))('the ratings that MedHELM published', () => {
  const all = (): readonly Rating[] =>
    files.flatMap((file = '') => readRatings(csvTable(readFileSync(file, 'utf8'), 'strict', file), COLUMNS))

  test('give the published ICC by the text and by the script, limits 0.15 and 0.83', () => {
    const [text] = measureAgreement(all(), 'text', DRAWS)
    expect(text?.name).toBe('medi_qa')
    expect(text?.jury?.answers).toBe(25)
    expect(text?.jury?.icc.value).toBeCloseTo(0.62480788, 8)
    // Published as (0.150, 0.830): pingouin rounds limits to two places.
    expect(text?.jury?.published?.iccInterval?.low.toFixed(2)).toBe('0.15')
    expect(text?.jury?.published?.iccInterval?.high.toFixed(2)).toBe('0.83')
    const script = measureAgreement(all(), 'script', DRAWS)
    expect(script.map(({ jury }) => jury?.icc.value?.toFixed(8)).slice(0, 2)).toEqual([
      '0.62475092',
      '-1.15957226',
    ])
  })

  test('are taken per benchmark and pooled, and withhold an interval that draws do not carry', () => {
    const found = measureAgreement(all(), 'text', DRAWS)
    expect(found.map(({ name, ratings, answers }) => [name, ratings, answers])).toEqual([
      ['medi_qa', 44, 25],
      ['mtsamples_replicate', 26, 18],
      ['pooled', 70, 43],
    ])
    expect(found.map(({ clinicians }) => clinicians.icc.value?.toFixed(4))).toEqual([
      '0.5317',
      '0.3539',
      '0.4724',
    ])
    expect(found[0]?.jury?.lead.interval).toBeNull()
    expect(found[0]?.jury?.lead.reason).toMatch(/^3\d\.\d % of the draws/)
  })

  test('say the same in any order and whatever raters, answers and models are called', () => {
    const plain = measureAgreement(all(), 'text', DRAWS)
    const other = measureAgreement(
      all()
        .toReversed()
        .map((rating) => ({
          ...rating,
          rater: `z${99 - Number(rating.rater.slice(-2))}`,
          instance: `x${rating.instance}`,
          model: rating.model.toUpperCase(),
        })),
      'text',
      DRAWS,
    )
    const numbers = (value: unknown): unknown =>
      // A part by model bears the model's name.
      JSON.parse(
        JSON.stringify(value, (key, each: unknown) =>
          key === 'pairs' ||
          key === 'raters' ||
          (key === 'name' && /llama|gpt|gemini|claude/i.test(String(each)))
            ? undefined
            : typeof each === 'number'
              ? Number(each.toFixed(9))
              : each,
        ),
      )
    expect(numbers(other)).toEqual(numbers(plain))
  })
})

test('Agreement is given by criterion and by model, too: as if the others were not there', () => {
  const rows = Array.from({ length: 8 }, (_, row) =>
    ['ann', 'bob'].map(
      (rater, at) =>
        `${rater},${row},notes,${row % 2 === 0 ? 'm/a' : 'm/b'},${1 + ((row + at) % 5)},${1 + ((row * 3 + at) % 4)},${1 + (row % 5)},${1 + ((row * 3) % 4)}`,
    ),
  ).flat()
  const ratings = parse(...rows)
  const [found] = measureAgreement(ratings, 'text', 50)
  expect(found?.parts?.map(({ by, name, answers }) => [by, name, answers])).toEqual([
    ['criterion', 'accuracy', 8],
    ['criterion', 'clarity', 8],
    ['model', 'm/a', 4],
    ['model', 'm/b', 4],
  ])
  const alone = (keeps: (rating: Rating) => readonly Rating[]) =>
    measureAgreement(ratings.flatMap(keeps), 'text', 50)[0]
  const { jury, clinicians } = found?.parts?.[1] ?? {}
  const clarity = alone((rating) => [
    { ...rating, criteria: ['clarity'], scores: rating.scores.slice(1), jury: rating.jury.slice(1) },
  ])
  expect({ jury, clinicians }).toEqual({ jury: clarity?.jury, clinicians: clarity?.clinicians })
  expect(found?.parts?.[3]?.jury).toEqual(alone((rating) => (rating.model === 'm/b' ? [rating] : []))?.jury)
  // A run's jury is a whole score; of criteria it has others.
  const ofRun = ratings.map((rating) => ({
    ...rating,
    jury: [3],
    juryBy: new Map([['clarity', rating.jury[1] ?? NaN]]),
  }))
  const [accuracy, again] = measureAgreement(ofRun, 'text', 50)[0]?.parts ?? []
  expect([accuracy?.jury, again?.jury]).toEqual([null, jury])
})
