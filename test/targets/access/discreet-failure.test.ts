import { expect, test } from 'vitest'
import { discreetFailures } from '../../../targets/access/discreet-texts.ts'
import type { RunFailure } from '../../../targets/record/record.ts'

const failure = (instance: string, code: string, detail: string): RunFailure => ({
  instance,
  trial: 0,
  stage: 'completions',
  code,
  detail,
  retriable: true,
})
const REFS = [{ id: 'id7' }, { id: 4711 }]

test('failures of a public benchmark stay as they are', () => {
  const failures = [failure('4711', 'http/400', 'bad request: Mrs Example')]
  expect(discreetFailures(failures, 'public', REFS)).toBe(failures)
})

test.each(['gated', 'private'] as const)(
  'of a %s one, ids of the data become places and details lengths',
  (access) => {
    const found = discreetFailures(
      [
        failure('4711', 'http/400', 'bad request: Mrs Example'),
        failure('id7', 'call/timeout', 'no answer in time'),
        failure('id7', 'annotators/code-form', 'n is no number'),
        failure('id7', 'annotators/code-value', 'it gave "Jones"'),
      ],
      access,
      REFS,
    )
    expect(found).toMatchObject([
      { instance: 'instance 2', code: 'http/400', detail: '[24 characters withheld]' },
      { instance: 'id7', code: 'call/timeout', detail: 'no answer in time' },
      { instance: 'id7', code: 'annotators/code-form', detail: 'n is no number' },
      { instance: 'id7', code: 'annotators/code-value', detail: '[15 characters withheld]' },
    ])
  },
)
