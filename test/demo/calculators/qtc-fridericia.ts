import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** ms; QT in ms, heart rate in beats a minute. */
export const qtcFridericia = (qt: number, heartRate: number): number => qt / Math.cbrt(60 / heartRate)

export const qtcFridericiaCalculator: Calculator = {
  id: 'qtc_fridericia',
  name: 'Corrected QT (Fridericia)',
  citation: 'Fridericia LS. Acta Med Scand 1920;53:469-486',
  question: 'What is the corrected QT interval by the Fridericia formula in ms? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, His } = drawPerson(draw, 21, 79)
    const heartRate = draw.whole(50, 112)
    // A QT that fits the rate, so that no tracing is impossible.
    const qt = Math.round((draw.whole(385, 505) * Math.cbrt(60 / heartRate)) / 10) * 10
    return {
      value: qtcFridericia(qt, heartRate),
      vignettes: [
        `In a drug trial, ${who} has a QT interval of ${qt} ms at a heart rate of ${heartRate} beats per minute.`,
        `${Who} takes a fluoroquinolone and an antiemetic. ${His} ECG shows a rate of ${heartRate} per minute and a QT of ${qt} ms.`,
        `${Who} has low potassium after a course of diuretics. QT is ${qt} ms, heart rate ${heartRate} per minute.`,
      ],
    }
  },
}
