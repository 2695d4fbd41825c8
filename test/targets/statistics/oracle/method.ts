/** A reference method's name with the function that answers it: takes a row's `input`, gives its `expected`. */
export type Methods = Readonly<Record<string, (input: unknown) => unknown>>

/** Types a function by the input that its rows hold. */
export const method =
  <Input>(answer: (input: Input) => unknown): ((input: unknown) => unknown) =>
  (input) =>
    answer(input as Input)
