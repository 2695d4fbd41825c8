import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProgress } from '../../../../tools/cli/output/progress.ts'

const followed = (terminal: object) => {
  const stream = Object.assign(new PassThrough(), terminal)
  const progress = createProgress({ stream, interval: 1000 })
  const written = async (): Promise<string> => {
    progress.close()
    stream.end()
    return text(stream)
  }
  const begin = (): void => {
    progress.on({ type: 'plan', targets: 1 } as never)
    progress.on({ type: 'target-started', target: 'a', instances: 4, work: 4, judgements: 0 })
  }
  const answered = (executed: number): void =>
    progress.on({ type: 'stage-results', target: 'a', stage: 'completions', executed, cached: 0 })
  return { progress, begin, answered, written }
}

describe('how far a run is', () => {
  beforeEach(() => void vi.useFakeTimers())
  beforeEach(() => void vi.stubEnv('TERM', 'xterm'))
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })

  it('is told a line each time that something came of it, while there is work', async () => {
    const { begin, answered, written } = followed({})
    vi.advanceTimersByTime(3000)
    begin()
    answered(2)
    vi.advanceTimersByTime(1000)
    answered(1)
    vi.advanceTimersByTime(1000)
    expect(await written()).toBe(
      '0/1 targets · 2/4 requests · 1/s · 4 s left · 0 calls\n0/1 targets · 3/4 requests · 1/s · 2 s left · 0 calls\n',
    )
    vi.advanceTimersByTime(9000)
  })

  it('is one line on a terminal, no wider than it and gone at the end; notes stand above', async () => {
    const { progress, begin, answered, written } = followed({ isTTY: true, columns: 20 })
    begin()
    answered(2)
    vi.advanceTimersByTime(1000)
    progress.on({ type: 'source-recorded', url: 'http://a/b', sha256: 'c' } as never)
    const clear = '\r\u001B[2K'
    expect(await written()).toBe(
      `${clear}0/1 targets · 2/4 r${clear}recorded in datasets.lock: http://a/b sha256 c\n${clear}`,
    )
  })

  it('is told in lines on a dumb terminal, which clears none', async () => {
    vi.stubEnv('TERM', 'dumb')
    const { begin, answered, written } = followed({ isTTY: true, columns: 20 })
    begin()
    answered(2)
    vi.advanceTimersByTime(1000)
    expect(await written()).toBe('0/1 targets · 2/4 requests · 2/s · 1 s left · 0 calls\n')
  })

  it('says nothing on a terminal on which nothing was drawn', async () => {
    const { written } = followed({ isTTY: true })
    expect(await written()).toBe('')
  })
})
