ALTER TABLE "numbers" ADD COLUMN "arrived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "numbers" ADD COLUMN "refused_at" timestamp (3) with time zone;