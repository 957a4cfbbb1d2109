CREATE TABLE "deliveries" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"call_id" text collate "C" NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"cause" text collate "C" NOT NULL,
	"message" jsonb NOT NULL,
	"origin" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"delivery_id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"latency_ms" integer NOT NULL,
	"http_status" integer,
	"error" text,
	"response" text,
	CONSTRAINT "delivery_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "wrap_up" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_cause" ON "deliveries" USING btree ("call_id","cause");--> statement-breakpoint
CREATE INDEX "deliveries_order" ON "deliveries" USING btree ("call_id","position");--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("call_id","position") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "calls_wrap_up" ON "calls" USING btree ("end_at") WHERE wrap_up is null or wrap_up = 'due';--> statement-breakpoint
UPDATE "calls" SET "wrap_up" = 'done' WHERE "end_at" IS NOT NULL;
