/** Milliseconds: how late a timer may be and the rate still kept. */
export const SLACK = 50

/** A minute, and what a late start may add: no window of 60 s then holds more calls than the limit. */
export const MINUTE = 60_000 + SLACK
