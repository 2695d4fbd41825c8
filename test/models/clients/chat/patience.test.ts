import { describe, expect, it, vi } from 'vitest'
import type { CompletionRequest } from '../../../../models/calls/client.ts'
import { createPatience } from '../../../../models/clients/chat/call-settings.ts'
import { requestOf } from '../../../rig/model-calls.ts'

const request = (maxTokens: number): CompletionRequest => requestOf('', { maxTokens })

const learnt = (seconds: number, answers: number, maxTokens = 16) => {
  let now = 0
  const patience = createPatience({ longest: 600_000, shortest: 10_000, now: () => now })
  for (let answer = 0; answer < answers; answer += 1) {
    const waiting = patience.begin(request(maxTokens), () => undefined)
    now += seconds * 1000
    waiting.answered()
    waiting.end()
  }
  return { patience, pass: (milliseconds: number) => (now += milliseconds) }
}

describe('patience', () => {
  it('lasts as long as is allowed until there is something to learn from', () => {
    expect(learnt(1, 29).patience.limit(request(16))).toBe(600_000)
  })

  it('lasts eight times as long as the slowest answer, and never less than the shortest', () => {
    expect(learnt(5, 30).patience.limit(request(16))).toBe(40_000)
    expect(learnt(0.1, 30).patience.limit(request(16))).toBe(10_000)
    expect(learnt(200, 30).patience.limit(request(16))).toBe(600_000)
  })

  it('forgets answers of long ago, but one that was slow among fast ones counts', () => {
    const { patience, pass } = learnt(5, 1)
    const answered = (seconds: number): void => {
      const waiting = patience.begin(request(16), () => undefined)
      pass(seconds * 1000)
      waiting.answered()
      waiting.end()
    }
    for (let answer = 0; answer < 199; answer += 1) answered(2)
    expect(patience.limit(request(16))).toBe(40_000)
    answered(2)
    expect(patience.limit(request(16))).toBe(16_000)
  })

  it('knows that several answers are as long as one of so many tokens', () => {
    const { patience } = learnt(5, 30)
    expect(patience.limit({ ...request(8), n: 2 })).toBe(40_000)
    expect(patience.limit({ ...request(16), n: 2 })).toBe(600_000)
  })

  it('learns nothing for long answers from short ones', () => {
    expect(learnt(1, 100, 1).patience.limit(request(1024))).toBe(600_000)
  })

  it('ends for an attempt that hangs, also one begun before anything was known, and is four times longer for the next', () => {
    vi.useFakeTimers()
    try {
      const { patience, pass } = learnt(0.1, 0)
      let given = 0
      const slow = request(16)
      patience.begin(slow, () => (given += 1))
      for (let answer = 0; answer < 30; answer += 1) {
        const waiting = patience.begin(request(16), () => undefined)
        waiting.answered()
        waiting.end()
      }
      pass(9999)
      vi.advanceTimersByTime(1000)
      expect(given).toBe(0)
      pass(1)
      vi.advanceTimersByTime(1000)
      expect(given).toBe(1)
      expect(patience.limit(slow)).toBe(40_000)
      expect(patience.limit(request(16))).toBe(10_000)
    } finally {
      vi.useRealTimers()
    }
  })
})
