# The action that the signing service asks: post "may-sign", to: "may_sign#create" in config/routes.rb.
class MaySignController < ActionController::Base
  skip_forgery_protection # the service has no CSRF token, and the action changes nothing
  ACCOUNT_NUMBER = "102551" # yours

  def create
    return head(:no_content) if params[:caller] != "anonymous" # has an API key: the policy decides
    id = params[:orderId].to_s
    order = Order.find_by(id: id.match?(/\A[1-9]\d{0,8}\z/) ? id : 0) # for strangers, too: so the alert sees an outage
    user_id = session[:user_id] # yours
    return refuse(401, "LOG_IN") if user_id.nil?
    expected = order && order.id.to_s == params[:orderId] && order.user_id.to_s == user_id.to_s &&
      params[:operationType] == "purchase" && params[:merchantAccountNumber] == ACCOUNT_NUMBER &&
      params[:amount] == format("%.2f", order.total)
    return refuse(403, "NOT_YOUR_ORDER") unless expected
    order.paid? ? refuse(409, "ALREADY_PAID") : head(:no_content)
  end

  private def refuse(status, code)
    render json: { allowed: false, code: code }, status: status
  end
end
