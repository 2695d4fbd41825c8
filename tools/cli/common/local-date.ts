/** `YYYY-MM-DD` on this machine's calendar: the date that HELM writes into summary.json. */
export const localDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
