/**
 * What of a plan in a terminal is printed: its steps, without what they mean for people, as long as that is not counted;
 * or the rest, once it is.
 */
export type PlanPart = "whole" | "steps" | "rest";
