import { expect } from 'vitest'
import { medmake } from '../../rig/medmake.ts'

export interface StudyOptions {
  /** Their names, parted by commas. */
  readonly raters: string
  /** Answers that are rated. */
  readonly labels: number
  /** Share of them that two raters see. */
  readonly overlap?: number
}

/** Plans a study without practice of the suite `main`. */
export const planStudy = async (
  cwd: string,
  { raters, labels, overlap = 1 }: StudyOptions,
): Promise<void> => {
  const drawn = [
    '--practice',
    '0',
    '--raters',
    raters,
    '--labels',
    String(labels),
    '--overlap',
    String(overlap),
  ]
  const { code, stderr } = await medmake(['rate', 'plan', 'main', ...drawn], { cwd })
  expect(code, stderr).toBe(0)
}
