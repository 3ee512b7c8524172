/** The seconds that one call takes where nothing is known of the service's pace. */
export const SECONDS_PER_CALL = 0.25;

/** The seconds of its own work that remit spends on one call, which no width shortens. */
export const WORK_PER_CALL = 0.0008;
