import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { overlapJudge } from '../../../../models/clients/baseline/overlap-judge.ts'

const catalog = (file: string): string => readFileSync(`benchmarks/catalog/${file}`, 'utf8')
const asked = (item: string): string =>
  catalog('health_bench/grader.txt')
    .replace('<<conversation>>', 'user: I have a fever\n\nassistant: See a doctor today.')
    .replace('<<rubric_item>>', item)
const verdict = (prompt: string): unknown =>
  (JSON.parse(overlapJudge(prompt)) as { readonly criteria_met: unknown }).criteria_met

it.each([
  ['[5] Says to see a doctor today', true],
  ['[5] Asks whether the fever is high', false],
  ['[-3] ', false],
])('one item of a rubric, %j, is met where half its words are in the last message: %j', (item, met) => {
  expect(verdict(asked(item))).toBe(met)
})

it("the comparison with a physician's answer gets a number from 1 to 10", () => {
  expect(verdict(catalog('health_bench_professional/comparison.txt'))).toBe(5)
})
