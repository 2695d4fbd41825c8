import { describe, expect, it } from 'vitest'
import { loads } from '../../../../benchmarks/python/json.ts'
import { dumps } from '../../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import type { ItemGrading } from '../../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../../benchmarks/scenario/instance.ts'
import { absent, done, failed, type Outcome } from '../../../../cache/problems/problem.ts'
import {
  gradedJudgements,
  gradesOf,
  hasPoints,
  wholeGrades,
  comparisonPrompt,
  gradedChat,
  graderPrompt,
  instanceRubric,
} from '../../../../targets/jury/grading/grade-answer.ts'
import {
  comparedScore,
  foldedScore,
  pointsScore,
  readGrade,
  type Grade,
} from '../../../../targets/jury/grading/read-grade.ts'
import { readJudgement, storedJudgements } from '../../../../targets/jury/stored-judgements.ts'

const OWN: ItemGrading = { style: 'health-bench' }
const FOLDED: ItemGrading = { style: 'medhelm-0.8' }
const COMPARED: ItemGrading = {
  ...FOLDED,
  comparison: '<<user_message>>|<<llm_response>>|<<physician_response>>',
}

const instance = (points: readonly string[], more = ''): Instance => {
  const rubrics = points.map((each, index) => `{"criterion": "c${index}", "points": ${each}, "tags": []}`)
  return { id: 'id7', extraData: loads(`{"rubrics": [${rubrics.join()}]${more}}`) } as unknown as Instance
}
const rubric = (...points: readonly string[]) => instanceRubric(instance(points))
const grade = (met: PyValue): Outcome<Grade> => done(new Map([['criteria_met', met]]))
const shown = (outcomes: readonly Outcome<PyValue>[]): readonly string[] =>
  outcomes.map((outcome) =>
    outcome.kind === 'done'
      ? dumps(outcome.value)
      : outcome.kind === 'failed'
        ? `${outcome.cause.code}: ${outcome.cause.detail}`
        : outcome.kind,
  )

describe('points of a rubric', () => {
  it.each([
    [
      '5 met of 5 and 3',
      [
        [5, true],
        [3, false],
      ],
      5 / 8,
    ],
    [
      'a fault counts below, not above',
      [
        [4, true],
        [-3, true],
      ],
      1 / 4,
    ],
    [
      'and may go below 0',
      [
        [4, false],
        [-6, true],
      ],
      -1.5,
    ],
    [
      'points of 0 say nothing',
      [
        [0, true],
        [2, true],
      ],
      1,
    ],
    [
      'nothing to reach',
      [
        [0, true],
        [-2, true],
      ],
      undefined,
    ],
    ['no item', [], undefined],
  ] as const)('%s', (_, items, wanted) => {
    expect(pointsScore(items.map(([points, met]) => ({ points, met })))).toBe(wanted)
  })

  it.each([
    ['grades go to the first items', [5, 3, 2], ['true'], 0.5],
    ['a fault counts as 10 less', [-4, 4], ['True', true], 1],
    ['of which a missed one keeps its share', [-4, 4], [true], 0.6],
    ['Python’s None is no true', [1, 1], [null, true], 0.5],
    ['nor is a number', [1, 1], [1, 'TRUE'], 0.5],
    ['points that add up to nothing', [0], [true], undefined],
    ['-10 folds to 0', [-10], [true], undefined],
  ] as const)('folded as medhelm 0.8.0 does: %s', (_, points, met, wanted) => {
    const grades = met.map((each): Grade => new Map([['criteria_met', each]]))
    expect(
      foldedScore(
        points.map((each) => ({ points: each })),
        grades,
      ),
    ).toBe(wanted)
  })

  it.each([
    [0.4, 8, 0.6],
    [0.4, true, 0.25],
    [0.4, false, 0.2],
    [0.4, loads('6.0'), 0.5],
    [0.4, '8', undefined],
    [0.4, null, undefined],
    [0.4, loads('NaN'), undefined],
    [Infinity, 5, undefined],
  ] as const)('%d beside a comparison of %s', (score, comparison, wanted) => {
    const found = comparedScore(score, comparison)
    if (wanted === undefined) expect(found).toBeUndefined()
    else expect(found).toBeCloseTo(wanted, 12)
  })
})

describe('a judge’s grades of an answer', () => {
  it('are its score as HealthBench’s authors count, or none where one could not be read', () => {
    const judges = [
      { grades: [grade(true), grade(false)] },
      { grades: [grade(true), failed('unparseable', 'no JSON')] },
      { grades: [absent('not asked'), grade(true)] },
    ]
    expect(shown(gradedJudgements(rubric('6', '2'), judges, OWN))).toEqual([
      '{"rubric": {"score": 0.75, "criteria": [{"criteria_met": true}, {"criteria_met": false}]}}',
      'unparseable: item 2 of 2: no JSON',
      'unparseable: item 1 of 2: no grade',
    ])
    expect(shown(gradedJudgements(rubric('-2'), [{ grades: [grade(true)] }], OWN))).toEqual([
      'no-points: the rubric has no points to reach',
    ])
  })

  it('leave no gap in medhelm 0.8.0: the next grade takes the place of one that could not be read', () => {
    const judges = [
      { grades: [failed('unparseable', 'x'), grade('true')] },
      { grades: [grade('no'), grade('true')] },
    ]
    expect(shown(gradedJudgements(rubric('3', '1'), judges, FOLDED))).toEqual([
      '{"accuracy": {"score": 0.75, "criteria": [{"criteria_met": "true"}]}}',
      '{"accuracy": {"score": 0.25, "criteria": [{"criteria_met": "no"}, {"criteria_met": "true"}]}}',
    ])
    expect(shown(gradedJudgements(rubric('0'), judges, FOLDED))).toEqual(
      Array(2).fill('no-points: the rubric has no points to reach'),
    )
  })

  it('are one list of all judges where medhelm 0.8.0 compares, scored by what stands in it by then', () => {
    const judges = [
      { grades: [grade('true'), grade('no')], comparison: grade(4) },
      { grades: [grade('no'), grade('no')], comparison: grade(8) },
    ]
    const all =
      '[{"criteria_met": "true"}, {"criteria_met": "no"}, {"criteria_met": 4}, {"criteria_met": "no"}, {"criteria_met": "no"}, {"criteria_met": 8}]'
    expect(shown(gradedJudgements(rubric('1', '1'), judges, COMPARED))).toEqual([
      // (1/2 + 4/10) / 2, and the first judge's grades decide the second's score, too.
      `{"accuracy": {"score": 0.45, "criteria": ${all}}}`,
      `{"accuracy": {"score": 0.65, "criteria": ${all}}}`,
    ])
    const three = gradedJudgements(rubric('1', '1'), [...judges, ...judges.slice(1)], COMPARED)
    expect(shown(three)[2]).toContain('"score": 0.65,')
    const [without, unread, text] = gradedJudgements(
      rubric('1'),
      [
        { grades: [grade('true')] },
        { grades: [grade('true')], comparison: failed('unparseable', 'x') },
        { grades: [grade('true')], comparison: grade('much') },
      ],
      COMPARED,
    )
    expect(shown([without, unread].map((each) => each ?? absent('')))).toEqual(
      Array(2).fill(
        '{"accuracy": {"score": 1.0, "criteria": [{"criteria_met": "true"}, {"criteria_met": "true"}, {"criteria_met": "true"}, {"criteria_met": "much"}]}}',
      ),
    )
    expect(shown([text ?? absent('')])).toEqual(['score-not-a-number: the comparison gives no number'])
  })

  it('of a later judge begin with what the one before gave, its comparison included', () => {
    const judges = [
      { grades: [grade('true'), failed('unparseable', 'x')], comparison: grade(4) },
      { grades: [grade('true'), grade('true')] },
    ]
    // The comparison stands where the second item's grade is looked for.
    const scores = gradedJudgements(rubric('1', '1'), judges, COMPARED).map(
      (each) => /"score": ([\d.]+)/.exec(shown([each])[0] ?? '')?.[1],
    )
    expect(scores).toEqual(['0.45', '0.5'])
    // The judge's own comparison is no grade of an item.
    const own = { grades: [failed('unparseable', 'x'), grade(true)], comparison: grade(true) }
    expect(shown(gradedJudgements(rubric('1', '1'), [own], COMPARED))[0]).toContain('"score": 0.3,')
  })

  it('are found again in what was kept, under the key of their style', () => {
    const kept = (style: ItemGrading) => {
      const [outcome] = gradedJudgements(rubric('1'), [{ grades: [grade(true)] }], style)
      return outcome?.kind === 'done' ? outcome.value : undefined
    }
    expect(gradesOf(kept(OWN), 'health-bench')).toHaveLength(1)
    expect(gradesOf(kept(OWN), 'medhelm-0.8')).toEqual([])
    expect(gradesOf(kept(FOLDED), 'medhelm-0.8')).toHaveLength(1)
    expect([
      gradesOf(undefined, 'health-bench'),
      gradesOf('x', 'health-bench'),
      gradesOf(loads('{"rubric": 3}'), 'health-bench'),
      gradesOf(loads('{"rubric": {"criteria": 3}}'), 'health-bench'),
    ]).toEqual([[], [], [], []])
  })

  it('are worth asking for where the rubric has points', () => {
    expect([hasPoints(rubric('1'), 'health-bench'), hasPoints(rubric('-1', '0'), 'health-bench')]).toEqual([
      true,
      false,
    ])
    expect([hasPoints(rubric('-1'), 'medhelm-0.8'), hasPoints(rubric('-10', '0'), 'medhelm-0.8')]).toEqual([
      true,
      false,
    ])
    expect([
      wholeGrades(3, 2, FOLDED, true),
      wholeGrades(3, 2, COMPARED, true),
      wholeGrades(3, 2, COMPARED, false),
    ]).toEqual([3, 8, 6])
    expect(() => instanceRubric({ id: 'id7', extraData: new Map([['rubrics', 'x']]) })).toThrow(
      'the rubric of instance id7 is no list of rubric items',
    )
    expect(instanceRubric({ id: 'id7' })).toEqual([])
  })
})

it('A kept judgement of one list of grades is whole with those of every judge.', () => {
  const list = (grades: number) =>
    loads(
      `{"accuracy": {"score": 1.5, "criteria": [${Array(grades).fill('{"criteria_met": "true"}').join()}]}}`,
    )
  const kinds = (grades: number) =>
    storedJudgements(
      {
        instance: instance(['1', '2']),
        annotations: new Map([['jury', new Map(['a', 'b'].map((judge) => [judge, list(grades)]))]]),
      },
      {
        jury: { annotator: 'jury', criteria: new Map(), scale: { least: 0, most: 5 }, grading: COMPARED },
        judges: ['a', 'b'],
        dialect: { scores: 'float' },
      },
    ).map(({ reading }) => reading.kind)
  expect(kinds(4)).toEqual(['scores', 'scores'])
  expect(kinds(2)).toEqual(['failed', 'failed'])
})

describe('a grader’s reply', () => {
  it.each([
    [' {"criteria_met": true} ', '{"criteria_met": true}'],
    ['```json\n{"criteria_met": false, "more": 1}\n```', '{"criteria_met": false, "more": 1}'],
    ['{"criteria_met": true}\n```', '{"criteria_met": true}'],
    ['```\n{"criteria_met": true}\n```', /^unparseable: Expecting value \(line 1, column 1\)/],
    ['{"criteria_met": true', /^unparseable: .*\(line 1, column 22\)/],
    ['[true]', 'not-an-object: the reply is JSON, but no object'],
    ['{"criteria_met": "true"}', 'missing-key: "criteria_met" is neither true nor false'],
    ['{}', 'missing-key: "criteria_met" is neither true nor false'],
  ])('of HealthBench’s authors: %j', (reply, wanted) => {
    expect(shown([readGrade(reply, 'health-bench')])[0]).toMatch(wanted)
  })

  it('of medhelm 0.8.0 stands between braces, with both keys', () => {
    expect(shown([readGrade('So: {"explanation": "", "criteria_met": "no"} there', 'medhelm-0.8')])).toEqual([
      '{"explanation": "", "criteria_met": "no"}',
    ])
    expect(readGrade('{"criteria_met": true}', 'medhelm-0.8')).toMatchObject({
      cause: { code: 'missing-criterion' },
    })
    expect(readGrade('{"explanation": ""}', 'medhelm-0.8')).toMatchObject({
      cause: { code: 'missing-criterion' },
    })
  })

  it('answers a prompt that holds the chat first, then the item as its style shows it', () => {
    const item = rubric('0.5')[0]
    if (item === undefined) throw new Error('one item')
    const template = '<<conversation>>; <<rubric_item>>; <<rubric_item>>'
    expect(graderPrompt(template, 'C <<rubric_item>>', item, 'health-bench')).toBe(
      'C [0.5] c0; [0.5] c0; [0.5] c0',
    )
    expect(graderPrompt(template, 'C', item, 'medhelm-0.8')).toContain(
      "{'criterion': 'c0', 'points': 0.5, 'tags': []}",
    )
    const asked = { input: { text: 'Hello?' } } as Instance
    expect(gradedChat(asked, 'Yes.')).toBe('user: Hello?\n\nassistant: Yes.')
  })

  it('holds an answer against a physician’s where there is one', () => {
    const own = instance(['1'], ', "physician_response": "P"')
    expect(comparisonPrompt({ grading: COMPARED }, 'C', 'A', own)).toBe('C|A|P')
    expect(comparisonPrompt({ grading: FOLDED }, 'C', 'A', own)).toBeUndefined()
    expect(comparisonPrompt({}, 'C', 'A', own)).toBeUndefined()
    expect(comparisonPrompt({ grading: COMPARED }, 'C', 'A', instance(['1']))).toBeUndefined()
    expect(comparisonPrompt({ grading: COMPARED }, 'C', 'A', {})).toBeUndefined()
    const none = instance(['1'], ', "physician_response": null')
    expect(comparisonPrompt({ grading: COMPARED }, 'C', 'A', none)).toBeUndefined()
  })
})

describe('a judgement counts', () => {
  const scale = { least: 1, most: 5 }
  const of = (text: string) => ({ outcome: done(loads(text)), replied: true })
  const read = (text: string, reading: 'int' | 'float' = 'int') =>
    readJudgement(of(text), { scale }, { scores: reading })

  it('where every score is a number on the scale, ends included', () => {
    expect(read('{"a": {"score": 1}, "b": {"score": 5}}')).toEqual({ kind: 'scores', scores: [1, 5] })
    expect(read('{"a": {"score": true}}')).toEqual({ kind: 'scores', scores: [1] })
    expect(read('{"a": {"score": "4"}}')).toEqual({ kind: 'scores', scores: [4] })
    expect([read('{"a": {"score": 4.9}}'), read('{"a": {"score": 4.9}}', 'float')]).toEqual([
      { kind: 'scores', scores: [4] },
      { kind: 'scores', scores: [4.9] },
    ])
    for (const score of ['0', '6', '0.9', 'false'])
      expect(read(`{"a": {"score": 3}, "b": {"score": ${score}}}`), score).toEqual({
        kind: 'failed',
        cause: 'judge-out-of-range',
      })
    for (const text of [
      '{"a": {"score": "x"}}',
      '{"a": {"score": "4.5"}}',
      '{"a": {}}',
      '{"a": 3}',
      '[]',
      '{"a": {"score": Infinity}}',
      '{"a": {"score": null}}',
    ])
      expect(read(text), text).toEqual({ kind: 'failed', cause: 'judge-unparseable' })
  })

  it('and says why it does not', () => {
    const rules = [{ scale }, { scores: 'int' }] as const
    expect(readJudgement({ outcome: absent('nothing'), replied: false }, ...rules)).toBeUndefined()
    expect(readJudgement({ outcome: failed('x', 'y'), replied: false }, ...rules)).toEqual({
      kind: 'failed',
      cause: 'judge-missing',
    })
    expect(readJudgement({ outcome: failed('x', 'y'), replied: true }, ...rules)).toEqual({
      kind: 'failed',
      cause: 'judge-unparseable',
    })
  })

  it('of items where each has its grade; HealthBench’s scores have no least value', () => {
    const low = '{"rubric": {"score": -7.5, "criteria": []}}'
    expect(readJudgement(of(low), { scale, grading: OWN }, { scores: 'int' })).toEqual({
      kind: 'scores',
      scores: [-7.5],
    })
    const kept = (grades: number) =>
      of(
        `{"accuracy": {"score": 1.5, "criteria": [${Array(grades).fill('{"criteria_met": "true"}').join()}]}}`,
      )
    const judged = (grades: number, own: Instance | undefined, grading: ItemGrading) =>
      readJudgement(
        { ...kept(grades), ...(own && { graded: { instance: () => own, judges: 2 } }) },
        { scale, grading },
        { scores: 'int' },
      )?.kind
    const plain = instance(['1', '2'])
    const answered = instance(['1', '2'], ', "physician_response": "P"')
    expect([judged(2, plain, FOLDED), judged(1, plain, FOLDED), judged(2, undefined, FOLDED)]).toEqual([
      'scores',
      'failed',
      'failed',
    ])
    expect([
      judged(4, plain, COMPARED),
      judged(6, plain, COMPARED),
      judged(6, answered, COMPARED),
      judged(4, answered, COMPARED),
    ]).toEqual(['scores', 'failed', 'scores', 'failed'])
    expect(
      readJudgement(
        { ...kept(2), graded: { instance: () => plain, judges: 2 } },
        { scale: { least: 2, most: 5 }, grading: FOLDED },
        { scores: 'int' },
      ),
    ).toEqual({ kind: 'failed', cause: 'judge-out-of-range' })
  })
})
