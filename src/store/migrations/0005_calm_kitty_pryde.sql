ALTER TABLE "calls" ADD COLUMN "number_id" text collate "C";--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "carrier_call_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "calls_carrier_call" ON "calls" USING btree ("number_id","carrier_call_id");