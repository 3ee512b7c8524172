/** The seconds that one call takes where nothing is known of the service's pace. */
export const SECONDS_PER_CALL = 0.25;
