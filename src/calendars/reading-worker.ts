/** The script of a thread that reads one calendar and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CalendarQuestion, occurrencesOf } from './occurrences.ts';

parentPort?.postMessage(occurrencesOf(workerData as CalendarQuestion));
