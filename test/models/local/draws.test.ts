import { expect, test } from 'vitest'
import { drawsOf } from '../../../models/clients/local.ts'
import { requestOf } from '../../rig/model-calls.ts'

const request = requestOf('Hello', { temperature: 1, maxTokens: 5 })

test('draws are what they were in every version before', () => {
  const draw = drawsOf({ ...request, seed: 1 }, 0)
  expect([0, 1, 2].map(draw)).toEqual([0.8443033840591296, 0.07837069767461369, 0.25870416977870236])
})

test('draws are uniform', () => {
  const draw = drawsOf(request, 0)
  const all = Array.from({ length: 2000 }, (_, index) => draw(index))
  expect(all.every((each) => each >= 0 && each < 1)).toBe(true)
  expect(all.reduce((sum, each) => sum + each, 0) / 2000).toBeCloseTo(0.5, 1)
  expect(all.filter((each) => each < 0.1).length / 2000).toBeCloseTo(0.1, 1)
})

test('message, seed, repeat, answer and token each change them', () => {
  const first = drawsOf(request, 0)(0)
  const others = [
    drawsOf({ ...request, messages: [{ role: 'user', content: 'Hello!' }] }, 0)(0),
    drawsOf({ ...request, seed: 0 }, 0)(0),
    drawsOf({ ...request, sampleIndex: 1 }, 0)(0),
    drawsOf(request, 1)(0),
    drawsOf(request, 0)(1),
  ]
  expect(new Set([first, ...others]).size).toBe(6)
  expect(drawsOf({ ...request, temperature: 2 }, 0)(0)).toBe(first)
})
