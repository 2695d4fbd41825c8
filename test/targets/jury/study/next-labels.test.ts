import { describe, expect, it } from 'vitest'
import type { JudgedAnswer } from '../../../../targets/jury/study/calibrated-score.ts'
import { nextLabels } from '../../../../targets/jury/next-labels.ts'
import { calibrateBenchmark } from '../../../../targets/jury/study/calibrate.ts'
import { answers, model } from './judged-answers.ts'

describe('what to rate next', () => {
  const cell = (name: string, own: readonly JudgedAnswer[]) => {
    const judged = model(name, own)
    const calibrated = calibrateBenchmark('bench', [judged], { scale: [1, 5] }).models[0]
    if (calibrated === undefined) throw new Error('one model')
    return { benchmark: 'bench', judged, calibrated }
  }
  const open = Array.from({ length: 20 }, (): [number, null] => [3, null])

  it('goes where the jury leaves most unexplained, and names the same answers until they are rated', () => {
    const sure = cell('sure', answers([[3, 3], [4, 4], [2, 2], ...open]))
    const unsure = cell('unsure', answers([[3, 1], [4, 5], [2, 5], ...open]))
    const next = nextLabels([sure, unsure], 4)
    expect(next).toEqual(nextLabels([sure, unsure], 4))
    expect(next.map(({ model: name, labels, instances }) => [name, labels, instances.length])).toEqual([
      ['unsure', 7, 4],
    ])
    expect(next[0]?.instances.every((instance) => Number(instance.slice(1)) >= 3)).toBe(true)
    const more = nextLabels([sure, unsure], 6)[0]?.instances ?? []
    expect(more.slice(0, 4)).toEqual(next[0]?.instances)
    expect(more).not.toEqual(more.toSorted())
  })

  it('takes a model without labels to be as hard as the others, and gives each two', () => {
    const [fresh, other] = [cell('fresh', answers(open)), cell('other', answers(open))]
    expect(nextLabels([fresh, other], 10).map(({ labels }) => labels)).toEqual([5, 5])
    const unsure = cell('unsure', answers([[3, 1], [4, 5], [2, 5], ...open]))
    // As uncertain as the one that is known: sizes 20 and 23, 3 labels there already.
    expect(nextLabels([fresh, unsure], 9).map(({ model: name, labels }) => [name, labels])).toEqual([
      ['fresh', 6],
      ['unsure', 6],
    ])
    expect(nextLabels([fresh], 500)[0]?.instances).toHaveLength(20)
    // The first three were rated already.
    const rest = Array.from({ length: 20 }, (_, index) => `i${index + 3}`)
    expect(nextLabels([unsure], 500)[0]?.instances.toSorted()).toEqual(rest.toSorted())
    expect(nextLabels([fresh], 1)).toEqual([])
    expect(nextLabels([], 5)).toEqual([])
  })

  it('names no patient where texts are not public', () => {
    const one = cell('one', answers(open))
    const [next] = nextLabels([{ ...one, judged: { ...one.judged, isClosed: true } }], 3)
    expect(next?.instances).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/withheld/) as string),
    )
  })
})
