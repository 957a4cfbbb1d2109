DROP INDEX "calls_status";--> statement-breakpoint
CREATE INDEX "calls_live" ON "calls" USING btree ("id") WHERE end_at is null;