export {
  ABSENCE_REASONS,
  type Absence,
  type AbsenceReason,
  type NodeFigures,
  type ProviderFetch,
  type WindowFigures,
} from './figures/figures.js';
