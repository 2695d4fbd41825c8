/** A text that a page shows. What does not fit lies in further chunks, loaded when asked for. */
export type ShownText =
  | string
  | {
      readonly head: string
      /** UTF-16 units of the whole. */
      readonly length: number
      /** Keys of the chunks that hold the rest, in order. */
      readonly rest: readonly string[]
    }

interface ShownReference<Text = ShownText> {
  readonly text: Text
  readonly correct: boolean
}

export interface ShownScore<Text = ShownText> {
  readonly criterion: string
  /** As the judge gave it, in JSON. */
  readonly score: string
  readonly explanation: Text
}

export interface ShownJudge<Text = ShownText> {
  readonly name: string
  readonly scores: readonly ShownScore<Text>[]
}

/** One evaluated request as a run's page shows it. */
export interface InstanceView<Text = ShownText> {
  readonly id: string
  /** From 0. */
  readonly trial: number
  readonly split: string
  /** What it shares with other instances, such as a note; absent where each stands for itself. */
  readonly source?: string
  readonly prompt: Text
  readonly references: readonly ShownReference<Text>[]
  readonly completions: readonly Text[]
  readonly thinking?: Text
  /** What the letter of a multiple-choice answer stands for. */
  readonly mapped?: Text
  /** Why there is no completion. */
  readonly error?: Text
  readonly judges: readonly ShownJudge<Text>[]
  readonly judgePrompt?: Text
  /** Other annotations, in JSON. */
  readonly annotations: readonly { readonly name: string; readonly json: Text }[]
  readonly metrics: readonly (readonly [name: string, value: number])[]
}
