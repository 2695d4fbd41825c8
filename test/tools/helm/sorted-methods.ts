/** HELM prints a group's adaptation methods in Python's set order, another one each time: compared sorted. */
export const sortedMethods = (text: string): string =>
  text.replaceAll(
    /"((?:multiple_choice_joint|generation|chat)(?:, (?:multiple_choice_joint|generation|chat))+)"/g,
    (_, methods: string) => `"${methods.split(', ').toSorted().join(', ')}"`,
  )
