export {
  defineAnnotator,
  type AnnotationField,
  type AnnotatorDefinition,
  type AnnotatorInput,
} from './annotator.ts'
export { defineMetric, type MetricDefinition, type MetricInput, type MetricMeasure } from './metric.ts'
export {
  defineScenario,
  type ScenarioData,
  type ScenarioDefinition,
  type ScenarioInstance,
  type ScenarioRow,
  type ScenarioTable,
} from './scenario.ts'
export {
  CallError,
  defineClient,
  type ClientCall,
  type ClientContext,
  type ClientDefinition,
  type ClientReply,
} from './client.ts'
