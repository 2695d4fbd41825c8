import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { emptyAnnotation, annotationOf } from '../../../targets/jury/stored-judgements.ts'
import { judgeScores, parseReply } from '../../../targets/jury/judge-scores.ts'
import { dialectOf } from '../../../targets/profile.ts'
import { shared } from '../../rig/shared.ts'

const KEYS = ['score', 'explanation']
const CRITERIA: ReadonlyMap<string, readonly string[]> = new Map([
  ['accuracy', KEYS],
  ['clarity', KEYS],
])
const CLARITY = '"clarity": {"score": 2, "explanation": "y"}'

/** A reply with `verdict` for accuracy. */
const replyWith = (verdict: string): string => `{"accuracy": ${verdict}, ${CLARITY}}`
const GOOD = replyWith('{"score": 4, "explanation": "x"}')

/** The JSON that was read, or the code of the failure. */
const read = (reply: string): string => {
  const outcome = parseReply(reply, CRITERIA)
  return outcome.kind === 'done'
    ? dumps(outcome.value)
    : outcome.kind === 'failed'
      ? outcome.cause.code
      : 'absent'
}

describe('a judge’s reply', () => {
  it.each([
    ['plain', GOOD],
    ['fenced', `\`\`\`json\n${GOOD}\n\`\`\``],
    ['with prose around it', `My verdict:\n${GOOD}\nHope this helps.`],
    ['without its last brace', GOOD.slice(0, -1)],
  ])('%s is read', (_, reply) => expect(read(reply)).toBe(GOOD))

  it.each([
    ['without JSON', 'Four out of five.', 'unparseable'],
    // A brace mends what breaks off where a comma could stand, and nothing else.
    ['of which only a brace is there', '{', 'unparseable'],
    ['twice', `${GOOD}\n${GOOD}`, 'unparseable'],
    ['with a newline in a text', GOOD.replace('"x"', '"x\ny"'), 'unparseable'],
    ['with quotes in a text', GOOD.replace('"x"', '"an "x" b"'), 'unparseable'],
    ['with prose that holds a brace', `${GOOD} :}`, 'unparseable'],
    ['with a list', '[1, 2]', 'not-an-object'],
    ['without a criterion', `{${CLARITY}}`, 'missing-criterion'],
    // What is left ends with the first criterion's brace, so the last criterion is gone.
    ['without its last two braces', GOOD.slice(0, -2), 'missing-criterion'],
    ['without an explanation', replyWith('{"score": 4}'), 'missing-key'],
    ['with a bare number', replyWith('4'), 'not-an-object'],
    ['with null', replyWith('null'), 'not-an-object'],
    ['with a text', replyWith('"good"'), 'missing-key'],
    ['with a list of objects', replyWith('[{"score": 4}]'), 'missing-key'],
  ])('%s is a failure with a cause', (_, reply, code) => expect(read(reply)).toBe(code))

  it('may hold nothing under its keys', () =>
    expect(read(replyWith('{"score": null, "explanation": null}'))).toContain('"score": null'))

  it('may be a text or a list of the keys, since Python’s in finds them there', () => {
    expect(parseReply(replyWith('"score and explanation"'), CRITERIA).kind).toBe('done')
    expect(parseReply(replyWith('["explanation", "score"]'), CRITERIA).kind).toBe('done')
  })

  it.each([
    ['{"accuracy": oops}', 'Expecting value (line 1, column 14)'],
    // Without a pair of braces the whole reply is read.
    ['4 }', 'Extra data (line 1, column 3)'],
    ['  } {', 'Expecting value (line 1, column 3)'],
  ])('says where the JSON of %j breaks off', (reply, detail) => {
    expect(parseReply(reply, CRITERIA)).toEqual({ kind: 'failed', cause: { code: 'unparseable', detail } })
  })

  it.each([
    [GOOD, 'done'],
    [replyWith('4'), 'done'],
    [`{${CLARITY}}`, 'missing-criterion'],
    ['[1]', 'not-an-object'],
  ])('of which criteria alone are required: %s is %s', (reply, kind) => {
    const outcome = parseReply(reply, CRITERIA, 'criteria')
    expect(outcome.kind === 'failed' ? outcome.cause.code : outcome.kind).toBe(kind)
  })
})

const scoresOf = (accuracy: string): unknown => {
  const outcome = parseReply(`{"accuracy": {"score": ${accuracy}}}`, new Map())
  if (outcome.kind !== 'done') return outcome
  const scores = judgeScores(outcome.value)
  return scores.kind === 'done' ? scores.value[0] : scores.kind === 'failed' ? scores.cause.code : 'absent'
}

describe('scores', () => {
  it.each([
    ['4', 4],
    ['4.9', 4],
    ['-0.5', 0],
    ['" 4 "', 4],
    ['"1_0"', 10],
    ['true', 1],
    ['100.0', 100],
  ])('%s is cut to a whole number', (written, score) => expect(scoresOf(written)).toBe(score))

  it.each(['"4.5"', '"4/5"', '""', 'null', 'NaN', 'Infinity', '1e400', '[3]', '{}'])(
    '%s makes the judgement a failure',
    (written) => expect(scoresOf(written)).toBe('score-not-a-number'),
  )

  it('must be in every object, those that the judge added included', () => {
    const judged = new Map<string, PyValue>([['extra', 3]])
    expect(judgeScores(judged)).toMatchObject({ kind: 'failed', cause: { code: 'missing-score' } })
    expect(judgeScores([1])).toMatchObject({ kind: 'failed', cause: { code: 'not-an-object' } })
  })
})

describe('an annotation', () => {
  it('holds the prompt, then the judges in their order', () => {
    const judged: readonly (readonly [string, PyValue])[] = [
      ['2', 'b'],
      ['1', 'a'],
    ]
    expect(dumps(annotationOf('P', judged))).toBe('{"prompt_text": "P", "2": "b", "1": "a"}')
  })

  it('of an empty answer has HELM’s form', () => {
    expect(dumps(emptyAnnotation())).toBe(
      '{"prompt_text": null, "empty_output_equivalence_judgement": false}',
    )
  })
})

interface Line {
  readonly annotation: 'kept' | 'dropped'
  readonly metric: string
}

interface Form {
  readonly form: string
  readonly judge_reply: string
  readonly '0.5.16': Line
  readonly '0.8.0': Line
}

const LINES = [
  ['0.5.16', 'helm-0.5.16'],
  ['0.8.0', 'medhelm-0.8'],
] as const

describe.skipIf(shared('golden/medhelm-0.8') === undefined)('the golden reply forms', () => {
  const criteria = new Map(['accuracy', 'completeness', 'clarity'].map((name) => [name, KEYS]))
  const file = shared('golden/medhelm-0.8/judge-forms.json')
  const forms = file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as readonly Form[])
  const cases = forms.flatMap((form) =>
    LINES.map(([line, profile]) => ({ form: form.form, reply: form.judge_reply, profile, ...form[line] })),
  )

  it.each(cases)('$form: kept, dropped and scored as $profile has it', ({ reply, profile, ...expected }) => {
    const { required, scores: toNumber } = dialectOf(profile)
    const outcome = parseReply(reply, criteria, required)
    expect(outcome.kind).toBe(expected.annotation === 'kept' ? 'done' : 'failed')
    if (outcome.kind !== 'done') return
    const scores = judgeScores(outcome.value, toNumber)
    const mean = Number(expected.metric)
    // A number where the original gives one, a failure where it loses the run or writes none.
    expect(scores.kind).toBe(Number.isFinite(mean) ? 'done' : 'failed')
    if (scores.kind === 'done')
      expect(scores.value.reduce((sum, score) => sum + score, 0) / scores.value.length).toBe(mean)
  })

  it('are all that were held, on both lines', () => expect(cases).toHaveLength(74))
})
