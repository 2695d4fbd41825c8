import { ProblemError } from '../../cache/problems/problem.ts'

/** One thing that `medmake doctor` looked at. */
export interface DoctorCheck {
  readonly name: string
  /** note: worth knowing; problem: something will fail, or be seen by whom it should not. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly message: string
  /** What to do about it; absent where nothing is to be done. */
  readonly remedy?: string
}

export const fine = (name: string, message: string): DoctorCheck => ({ name, state: 'ok', message })
export const note = (name: string, message: string, remedy?: string): DoctorCheck => ({
  name,
  state: 'note',
  message,
  ...(remedy === undefined ? {} : { remedy }),
})
export const trouble = (name: string, message: string, remedy: string): DoctorCheck => ({
  name,
  state: 'problem',
  message,
  remedy,
})
/** Problems as findings. @throws the error where it is none */
export const problemChecks = (name: string, error: unknown): readonly DoctorCheck[] => {
  if (!(error instanceof ProblemError)) throw error
  return error.problems.map(({ code, message, remedy, where }) =>
    trouble(name, `${[where?.file ?? [], message].flat().join(': ')} [${code}]`, remedy),
  )
}
