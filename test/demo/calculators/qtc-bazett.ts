import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** ms; QT in ms, heart rate in beats a minute. */
export const qtcBazett = (qt: number, heartRate: number): number => qt / Math.sqrt(60 / heartRate)

export const qtcBazettCalculator: Calculator = {
  id: 'qtc_bazett',
  name: 'Corrected QT (Bazett)',
  citation: 'Bazett HC. Heart 1920;7:353-370',
  question: 'What is the corrected QT interval by the Bazett formula in ms? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who } = drawPerson(draw, 19, 82)
    const heartRate = draw.whole(52, 108)
    // A QT that fits the rate, so that no tracing is impossible.
    const qt = Math.round((draw.whole(385, 505) * Math.cbrt(60 / heartRate)) / 10) * 10
    return {
      value: qtcBazett(qt, heartRate),
      vignettes: [
        `${Who} starts methadone. The ECG shows sinus rhythm at ${heartRate} beats per minute with a QT interval of ${qt} ms.`,
        `${Who} fainted during exercise. On the ECG the QT interval is ${qt} ms at a heart rate of ${heartRate} per minute.`,
        `Before adding an antipsychotic, the team records an ECG of ${who}: rate ${heartRate} per minute, QT ${qt} ms, QRS normal.`,
      ],
    }
  },
}
