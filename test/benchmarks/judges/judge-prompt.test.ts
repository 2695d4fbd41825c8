import { expect, test } from 'vitest'
import { checkCriteria, checkGraderPrompt, rubricCriteria } from '../../../benchmarks/judges/judges.ts'
import { problemOf } from '../../rig/problem-of.ts'

const RUBRIC = 'Rate {RESPONSE}: {"accuracy": {"score": 0, "explanation": ""}}'
const check = (criteria: Readonly<Record<string, readonly string[]>>): void =>
  checkCriteria(criteria, RUBRIC, (field) => ({ field }))

test('criteria and their keys must stand in the rubric', async () => {
  expect(() => check({ accuracy: ['score', 'explanation'] })).not.toThrow()
  const problem = await problemOf(() => check({ accuracy: ['score', 'explnation'] }))
  expect(problem).toMatchObject({ where: { field: 'accuracy' } })
  expect(problem?.remedy).toContain('Did you mean "explanation"?')
  expect(() => check({ acuracy: ['score'] })).toThrow('"acuracy"')
})

test.each(['<<conversation>>', '<<rubric_item>>'])("a grader's prompt must show %s", (name) => {
  const whole = 'Grade <<conversation>> by <<rubric_item>>.'
  expect(() => checkGraderPrompt(whole, 'grader.txt')).not.toThrow()
  expect(() => checkGraderPrompt(whole.replace(name, ''), 'grader.txt')).toThrow(`no ${name}`)
})

test.each(['{"score": 0, "why": ""}', '["score", "why"]'])(
  "a criterion's keys are told by an object or, as HELM takes it too, by their list: %s",
  (keys) => {
    const prompt = `{RESPONSE}\n<rubric_criteria>{"accuracy": ${keys}}</rubric_criteria>`
    expect(rubricCriteria(prompt, 'judge.txt')).toEqual(new Map([['accuracy', ['score', 'why']]]))
  },
)
