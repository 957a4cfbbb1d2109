import * as transfer from '../transfer/transfer.ts';
import { act, on } from './action.ts';

/** What the transfer's transitions do, by name. */
export const transferActions = {
  beginDueTransfer: act(transfer.beginDueTransfer),
  dialOperator: act(transfer.dialOperator),
  operatorAnswered: act(transfer.operatorAnswered),
  summaryDone: act(transfer.summaryDone),
  briefOperator: act(transfer.briefOperator),
  bridgeOperator: act((mind) => transfer.bridgeOperator(mind, false)),
  handOver: act((mind) => transfer.bridgeOperator(mind, true)),
  operatorFailed: on<'operator.failed'>((mind, { reason }) => transfer.failTransfer(mind, reason)),
  operatorDeclined: on<'operator.declined'>((mind, { reason }) =>
    transfer.failTransfer(mind, reason),
  ),
  operatorLeft: act((mind) => transfer.failTransfer(mind, 'operator-left')),
  lineFailed: act((mind) => transfer.failTransfer(mind, 'line-error')),
  transferTimedOut: act((mind) => transfer.failTransfer(mind, 'timeout')),
  heardOnHold: on<'stt.final'>((mind, { text }) => transfer.heardOnHold(mind, text)),
};
