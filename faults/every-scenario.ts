import type { Scenario } from './scenario.ts';
import { steppingClocks } from './scenarios/clock.ts';
import { absenceOfTheDatabase, deathOfTheDatabase } from './scenarios/database.ts';
import { steppingDatabaseClock } from './scenarios/database-clock.ts';
import { deathOfOneOfFour, deathOfTheOnlyProcess, rollingRestart, takeOver } from './scenarios/deaths.ts';
import { deathOfTheEmbeddedDatabase } from './scenarios/embedded.ts';
import { endWithoutDatabase } from './scenarios/endings.ts';
import { answersRaceSteps, escalationsWhileDying, raceForSteps } from './scenarios/escalation.ts';
import { failOverInStep, failOverWithLoss, splitBrain, switchover } from './scenarios/fail-over.ts';
import { frozenWorker } from './scenarios/frozen.ts';
import { lifeboat } from './scenarios/lifeboat.ts';
import { fullDisk, noConnectionsLeft } from './scenarios/limits.ts';
import { cutCables } from './scenarios/namespaces.ts';
import { forgottenConnections, resetNetwork, silentNetwork } from './scenarios/network.ts';
import { olderRelease } from './scenarios/older-release.ts';
import { migrationUnderLoad, poison } from './scenarios/poison.ts';
import { heldConnections } from './scenarios/pool.ts';
import { illReceivers, lyingProviders } from './scenarios/providers.ts';
import { remindersWhileDying } from './scenarios/reminders.ts';
import { deathsUnderEvents } from './scenarios/sources.ts';
import { deathsBetweenStatements } from './scenarios/statements.ts';
import { upgrades } from './scenarios/stored-release.ts';

/** In the order in which they run. */
export const EVERY_SCENARIO: readonly Scenario[] = [
  deathOfTheOnlyProcess,
  deathOfOneOfFour,
  takeOver,
  deathsUnderEvents,
  deathsBetweenStatements,
  rollingRestart,
  deathOfTheDatabase,
  absenceOfTheDatabase,
  lifeboat,
  deathOfTheEmbeddedDatabase,
  switchover,
  failOverInStep,
  failOverWithLoss,
  splitBrain,
  silentNetwork,
  forgottenConnections,
  resetNetwork,
  cutCables,
  endWithoutDatabase,
  frozenWorker,
  raceForSteps,
  escalationsWhileDying,
  answersRaceSteps,
  remindersWhileDying,
  illReceivers,
  lyingProviders,
  steppingClocks,
  steppingDatabaseClock,
  noConnectionsLeft,
  heldConnections,
  fullDisk,
  poison,
  migrationUnderLoad,
  olderRelease,
  ...upgrades(),
];
